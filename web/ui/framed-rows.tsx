import type { ComponentProps } from 'react'
import { RowTable } from './row-table.tsx'
import classes from './ui.module.css'

/** A table that is the list of its page, in a frame like that of other lists; within a section the section is the frame. */
export function FramedRows(props: ComponentProps<typeof RowTable>) {
  return (
    <div className={classes['frame']}>
      <RowTable {...props} />
    </div>
  )
}
