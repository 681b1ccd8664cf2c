import { useEffect } from 'react'
import type { NamedFeature } from '../../../shared/viewer.ts'
import { afterPaint } from '../../lib/after-paint.ts'
import type { Store } from '../../lib/store.ts'
import { Afterwards } from '../../ui/afterwards.tsx'
import { RowDrawer } from '../../ui/grid/row-drawer.tsx'
import type { Rows } from '../../ui/grid/use-blocks.ts'

/** The row that is open, by its place in the table, and the column to begin at. */
export interface Opened {
  index: number
  column?: string
}

interface OpenRowProps {
  opened: Store<Opened | undefined>
  rows: Rows
  total: number
  columns: NamedFeature[]
  /** Whether places in the table are the numbers of rows in the split. */
  isPlain: boolean
  /** The row that the address names. */
  named: number | undefined
  /** Has the address name a row by its number, or none. */
  onName: (number: number | undefined) => void
  linkOf: (index: number, number: number | undefined) => string
  /** Has the table show a row. */
  onMove: (index: number) => void
}

/** The open row in full, beside the table. To open another draws neither the table nor its tools again. */
export function OpenRow(props: OpenRowProps) {
  const { opened, rows, total, columns, isPlain, named, onName, linkOf, onMove } = props
  const at = opened.use()
  // An address may name a row that is no more.
  const open = rows.first && at && at.index >= total ? undefined : at
  const row = open && rows.rowAt(open.index)
  const number = row?.row_idx ?? (isPlain ? open?.index : undefined)
  useEffect(() => {
    if (number === named) return undefined
    // All of the page that reads the address is drawn again.
    return afterPaint(() => onName(number))
    // The address follows the open row, not the other way round.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [number])
  if (!open) return null
  return (
    // The cell is marked at once, its row is drawn in full after that.
    <Afterwards>
      <RowDrawer
        columns={columns}
        row={row}
        index={open.index}
        total={total}
        column={open.column}
        link={linkOf(open.index, number)}
        onMove={(index) => {
          opened.set({ ...open, index })
          onMove(index)
        }}
        onClose={() => opened.set(undefined)}
      />
    </Afterwards>
  )
}
