import { Button, Text, TextInput } from '@mantine/core'
import { afterPaint } from '../../lib/after-paint.ts'
import { formatCompact, formatExact } from '../../lib/format.ts'
import type { Rows } from '../../ui/grid/use-blocks.ts'
import type { SightStore } from '../../ui/grid/use-sight.ts'
import classes from './datasets.module.css'
import { isPlain, type RowsAsked, type Split } from './queries.ts'

interface FooterProps {
  sight: SightStore
  /** Rows that can be scrolled to. */
  total: number
  /** Rows that there are. */
  found: number
  rows: Rows
  asked: RowsAsked
  split: Split
  isPreview: boolean
  onGo: (index: number) => void
}

/** Which rows are in sight, of how many, and the way to any other. */
export function Footer({ sight: store, total, found, rows, asked, split, isPreview, onGo }: FooterProps) {
  const sight = store.use()
  return (
    <div className={classes['footer']}>
      <Text size="xs" c="dimmed" role="status">
        {rows.first === undefined
          ? 'Reading…'
          : `${isPlain(asked) ? 'Rows' : 'Matches'} ${formatExact(sight.from)} to ${formatExact(Math.min(sight.to, total - 1))} of ${formatExact(found)}`}
        {total < found &&
          ` · sorted rows are shown up to the ${formatExact(total)}th: filter them to see others`}
        {scanText(rows, asked, split)}
        {isPreview && ' · preview'}
        {rows.isLoading && rows.first !== undefined && ' · reading…'}
      </Text>
      {total > 50 && <GoTo total={total} onGo={onGo} />}
    </div>
  )
}

/** What a search or filter has not looked at, or an export does not hold. */
function scanText({ first }: Rows, asked: RowsAsked, split: Split): string {
  const scan = first?.scan
  if (scan && !scan.complete) {
    const all = split.rows === undefined ? '' : ` of ${formatCompact(split.rows)}`
    return ` · the search stopped after ${formatCompact(scan.rows)}${all} rows: there may be more`
  }
  if (first?.partial && isPlain(asked) && split.estimated_rows !== undefined)
    return `, the beginning of about ${formatCompact(split.estimated_rows)}`
  return ''
}

function GoTo({ total, onGo }: { total: number; onGo: (index: number) => void }) {
  const go = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const digits = String(new FormData(event.currentTarget).get('row')).replaceAll(',', '')
    if (digits) afterPaint(() => onGo(Math.min(total - 1, Number(digits))))
  }
  return (
    <form className={classes['goTo']} onSubmit={go}>
      <TextInput
        size="xs"
        w={130}
        name="row"
        inputMode="numeric"
        autoComplete="off"
        pattern="[0-9,]*"
        title="The number of a row, in digits"
        aria-label="Row to go to"
        placeholder="Go to row"
      />
      <Button size="xs" variant="default" type="submit">
        Go
      </Button>
    </form>
  )
}
