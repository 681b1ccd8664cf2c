import { memo } from 'react'
import type { ViewerRow } from '../../../shared/viewer.ts'
import { formatExact } from '../../lib/format.ts'
import { Cell } from './cell.tsx'
import classes from './grid.module.css'
import { valueAt } from './row-values.ts'
import type { GridColumn } from './use-columns.ts'

/** What names the cell that the keyboard is on. */
export const cellId = (gridId: string, row: number, column: number) => `${gridId}-${row}-${column}`

interface GridRowProps {
  gridId: string
  /** Its place in the table, which differs from its number in the split where rows are filtered. */
  index: number
  top: number
  height: number
  columns: { column: GridColumn; index: number; start: number }[]
  /** Left out while it is awaited. */
  row: ViewerRow | undefined
  /** The column that the keyboard is on. */
  active: number | undefined
  isOpen: boolean
}

/** A row of the table, with the cells of the columns in sight. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { gridId, index, top, height, columns, row, active, isOpen } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      data-index={index}
      className={classes['row']}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div role="rowheader" aria-colindex={1} data-column={-1} className={classes['gutter']}>
        {row ? formatExact(row.row_idx) : ''}
      </div>
      {columns.map(({ column, index: at, start }) => (
        <div
          key={column.name}
          role="gridcell"
          id={cellId(gridId, index, at)}
          aria-colindex={at + 2}
          data-column={at}
          data-kind={column.kind}
          data-active={active === at || undefined}
          className={classes['cell']}
          style={{ left: start, width: column.width }}
        >
          {row ? (
            <Cell
              column={column}
              value={valueAt(row, column.name)}
              isCut={row.truncated_cells.includes(column.name)}
            />
          ) : (
            <span className={classes['awaited']} />
          )}
        </div>
      ))}
    </div>
  )
})
