import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { MovingRows } from './moving-rows.tsx'
import classes from './ui.module.css'

interface RowTableProps {
  /** The heads of its columns; a number is a width in pixels. */
  columns: (string | [name: string, width: number])[]
  /** Whether a last column holds what can be done with a row. */
  hasActions?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table whose rows are blocks on a narrow page, so that nothing in them is out of sight; a cell's `data-label` names it there. */
export function RowTable({ columns, hasActions = false, children }: RowTableProps) {
  return (
    <Table className={classes['rowTable'] ?? ''} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => {
            const [name, width] = typeof column === 'string' ? [column] : column
            return (
              <Table.Th key={name} w={width}>
                {name}
              </Table.Th>
            )
          })}
          {hasActions && (
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <MovingRows as={Table.Tbody}>{children}</MovingRows>
    </Table>
  )
}
