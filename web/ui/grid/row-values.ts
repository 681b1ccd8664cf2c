import type { ViewerRow } from '../../../shared/viewer.ts'

/** A cell of a row; columns may be called like members that every object has. */
export const valueAt = ({ row }: ViewerRow, name: string): unknown =>
  Object.hasOwn(row, name) ? row[name] : undefined
