import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ui.module.css'

/** A table whose rows are blocks on a narrow page, so that nothing in them is out of sight; a cell's `data-label` names it there. */
export function RowTable({ children }: { children: ReactNode }) {
  return (
    <Table className={classes['rowTable'] ?? ''} verticalSpacing="xs">
      {children}
    </Table>
  )
}
