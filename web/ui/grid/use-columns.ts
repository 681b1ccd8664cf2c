import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { NamedFeature } from '../../../shared/viewer.ts'
import { elementOf, kindOf, type Kind } from './feature-types.ts'

const features = tableFeatures({ columnVisibilityFeature, columnSizingFeature, columnResizingFeature })

/** The table holds no rows: they come in blocks, and the server sorts and filters them. */
const noRows: object[] = []

/** A column in its place. */
export interface GridColumn extends NamedFeature {
  kind: Kind
  width: number
}

const widths: Partial<Record<Kind, number>> = {
  number: 150,
  bool: 110,
  time: 190,
  label: 150,
  image: 180,
  video: 200,
  audio: 280,
  pdf: 180,
}

/** The kinds that make use of more room. */
const stretches = (kind: Kind) => kind === 'text' || kind === 'object' || kind === 'list'

/** Widths by kind; what is left of the table's own width goes to texts, lists and objects, else to all. */
export function widthsFor(columns: NamedFeature[], room: number): number[] {
  const base = columns.map(({ name, type }) => {
    const kind = kindOf(kindOf(type) === 'list' ? elementOf(type) : type)
    const least = stretches(kindOf(type)) ? 240 : (widths[kind] ?? 200)
    return Math.max(least, Math.min(260, name.length * 8 + 56))
  })
  const left = room - base.reduce((sum, width) => sum + width, 0)
  if (left <= 0) return base
  const isAny = columns.some(({ type }) => stretches(kindOf(type)))
  const takers = columns.map(({ type }) => !isAny || stretches(kindOf(type)))
  const share = Math.floor(left / takers.filter(Boolean).length)
  return base.map((width, i) => (takers[i] ? width + share : width))
}

/** The columns that are shown, with their widths; people hide them and drag their edges. */
export function useColumns(columns: NamedFeature[], room: number) {
  const defs = useMemo(() => {
    const sizes = widthsFor(columns, room)
    return columns.map(({ name }, i) => ({
      id: name,
      accessorFn: () => null,
      size: sizes[i] ?? 200,
      minSize: 70,
    }))
  }, [columns, room])
  const table = useTable(
    { features, columns: defs, data: noRows, columnResizeMode: 'onChange' },
    ({ columnSizing, columnVisibility }) => ({ columnSizing, columnVisibility }),
  )
  const { columnSizing, columnVisibility } = table.state
  const shown = useMemo<GridColumn[]>(
    () =>
      columns.flatMap((column) => {
        const known = table.getColumn(column.name)
        return known?.getIsVisible() ? [{ ...column, kind: kindOf(column.type), width: known.getSize() }] : []
      }),
    // The table is one object whatever its state.
    // oxlint-disable-next-line react/exhaustive-deps
    [columns, defs, table, columnSizing, columnVisibility],
  )
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  return {
    shown,
    isHidden: (name: string) => columnVisibility[name] === false,
    toggle: (name: string, isShown: boolean) => table.getColumn(name)?.toggleVisibility(isShown),
    showAll: () => table.resetColumnVisibility(true),
    /** Starts to drag the right edge of a column. */
    resize: (name: string) => headers.find(({ column }) => column.id === name)?.getResizeHandler(),
    resetWidth: (name: string) =>
      table.setColumnSizing((sizes) =>
        Object.fromEntries(Object.entries(sizes).filter(([id]) => id !== name)),
      ),
  }
}

export type Columns = ReturnType<typeof useColumns>
