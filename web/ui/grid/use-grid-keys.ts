import { useState, type KeyboardEvent } from 'react'
import type { ViewerRow } from '../../../shared/viewer.ts'
import { copyText } from '../../lib/copy-text.ts'
import { wholeText } from './cell-text.ts'
import { valueAt } from './row-values.ts'
import type { GridColumn } from './use-columns.ts'

interface Place {
  row: number
  column: number
}

interface GridKeysOptions {
  rows: number
  columns: GridColumn[]
  /** Rows that a page key moves by. */
  page: number
  /** The first row in sight, where the keyboard begins. */
  first: number
  show: (row: number, column: number) => void
  open: (row: number, column: string) => void
  rowAt: (index: number) => ViewerRow | undefined
}

/**
 * The keys of a grid, as the ARIA practices for grids name them: arrows, Home and End within a row, with Ctrl within the
 * table, page keys; Enter opens a row, Ctrl+C copies a cell.
 */
export function useGridKeys({ rows, columns, page, first, show, open, rowAt }: GridKeysOptions) {
  const [place, setPlace] = useState<Place>()
  const active = place && place.row < rows && place.column < columns.length ? place : undefined
  const move = (to: Place) => {
    const row = Math.max(0, Math.min(rows - 1, to.row))
    const column = Math.max(0, Math.min(columns.length - 1, to.column))
    setPlace({ row, column })
    show(row, column)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || rows === 0 || event.altKey) return
    const at = active ?? { row: first, column: 0 }
    const isJump = event.ctrlKey || event.metaKey
    if (isJump && event.key === 'c') {
      const row = rowAt(at.row)
      const name = columns[at.column]?.name
      if (row && name !== undefined && window.getSelection()?.isCollapsed)
        void copyText(wholeText(valueAt(row, name)))
      return
    }
    const targets: Record<string, Place> = {
      ArrowUp: { row: isJump ? 0 : at.row - 1, column: at.column },
      ArrowDown: { row: isJump ? rows - 1 : at.row + 1, column: at.column },
      ArrowLeft: { row: at.row, column: isJump ? 0 : at.column - 1 },
      ArrowRight: { row: at.row, column: isJump ? columns.length - 1 : at.column + 1 },
      Home: { row: isJump ? 0 : at.row, column: 0 },
      End: { row: isJump ? rows - 1 : at.row, column: columns.length - 1 },
      PageUp: { row: at.row - page, column: at.column },
      PageDown: { row: at.row + page, column: at.column },
    }
    const target = targets[event.key]
    // The first step begins at the first row in sight.
    const isBegin = !active && event.key.startsWith('Arrow') && !isJump
    if (target) move(isBegin ? at : target)
    else if (event.key === 'Enter') open(at.row, columns[at.column]?.name ?? '')
    else return
    event.preventDefault()
  }
  return {
    active,
    activate: (row: number, column: number) => setPlace({ row, column }),
    onKeyDown,
  }
}
