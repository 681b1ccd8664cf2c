import { Text } from '@mantine/core'
import { memo, useMemo, type MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { formatExact } from '../../lib/format.ts'
import classes from './code.module.css'
import { useHighlight, type ColouredRun } from './highlight.ts'
import { Runs } from './runs.tsx'

/** Lines are laid out in blocks that the browser skips while they are out of sight. */
const blockLines = 100
/** Making more elements would hold the page up for seconds. */
const maxLines = 10_000

interface CodeViewProps {
  text: string
  language: string | undefined
  label: string
}

/** A text with numbered lines; a number is a link, shift-click extends it to a range. */
export function CodeView({ text, language, label }: CodeViewProps) {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const all = useMemo(() => text.replace(/\r?\n$/, '').split(/\r?\n/), [text])
  const lines = all.slice(0, maxLines)
  const coloured = useHighlight(text, language)
  const [from, to] = selectedLines(hash)
  const pick = (event: MouseEvent<HTMLElement>) => {
    const line = Number(event.currentTarget.dataset['line'])
    event.preventDefault()
    const start = event.shiftKey && from ? Math.min(from, line) : line
    const end = event.shiftKey && from ? Math.max(from, line) : line
    void navigate(`#L${start}${end > start ? `-L${end}` : ''}`, { replace: true, preventScrollReset: true })
  }
  const starts = Array.from({ length: Math.ceil(lines.length / blockLines) }, (_, i) => i * blockLines)
  return (
    <div className={classes['view']} role="region" aria-label={label} tabIndex={0}>
      {starts.map((start) => (
        <Block
          key={start}
          start={start}
          lines={lines.slice(start, start + blockLines)}
          coloured={coloured?.slice(start, start + blockLines)}
          from={from}
          to={to}
          onPick={pick}
        />
      ))}
      {all.length > maxLines && (
        <Text size="sm" c="dimmed" p="sm">
          Only the first {formatExact(maxLines)} lines are shown; download the file for the rest.
        </Text>
      )}
    </div>
  )
}

/** `#L10-L20` → `[10, 20]`; `[0, 0]` when nothing is selected. */
function selectedLines(hash: string): [from: number, to: number] {
  const match = /^#L(\d+)(?:-L(\d+))?$/.exec(hash)
  if (!match) return [0, 0]
  const from = Number(match[1])
  return [from, Number(match[2] ?? from)]
}

interface BlockProps {
  start: number
  lines: string[]
  coloured: ColouredRun[][] | undefined
  from: number
  to: number
  onPick: (event: MouseEvent<HTMLElement>) => void
}

const Block = memo(function Block({ start, lines, coloured, from, to, onPick }: BlockProps) {
  return (
    <div className={classes['lines']} style={{ containIntrinsicHeight: `auto ${lines.length * 20}px` }}>
      {lines.map((line, i) => {
        const number = start + i + 1
        const runs = coloured?.[i]
        return (
          <div
            key={number}
            className={classes['line']}
            data-selected={number >= from && number <= to ? true : undefined}
            ref={number === from ? scrollOnce : undefined}
          >
            <a
              href={`#L${number}`}
              data-line={number}
              tabIndex={-1}
              className={classes['number']}
              onClick={onPick}
            >
              {number}
            </a>
            <code>{runs ? <Runs runs={runs} /> : line}</code>
          </div>
        )
      })}
    </div>
  )
})

let scrolledTo = ''

/** Brings the selected line into sight when the page opens, not at every click on a number. */
function scrollOnce(line: HTMLElement | null): void {
  if (!line || scrolledTo === location.pathname) return
  scrolledTo = location.pathname
  line.scrollIntoView({ block: 'center' })
}
