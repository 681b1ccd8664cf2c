import { useLocation, useSearchParams } from 'react-router'
import { useMemo } from 'react'
import { isNavigating } from '../../lib/navigating.ts'
import { columnText } from './where.ts'

/** The order of rows: a column and a direction. */
export interface SortOrder {
  name: string
  direction: 'asc' | 'desc'
}

/** What the address says of the table: names as the public hub has them. */
export interface ViewerState {
  /** Page of 100 rows at the top, from 0. */
  page: number
  /** The open row, by its number in the split. */
  row: number | undefined
  search: string
  filter: string
  /** As `orderby` takes it: `"score" DESC`. */
  sort: string
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined

/** Reads the state of the table from an address. */
export function readState(query: URLSearchParams): ViewerState {
  return {
    page: wholeNumber(query.get('p')) ?? 0,
    row: wholeNumber(query.get('row')),
    search: query.get('search') ?? '',
    filter: query.get('filter') ?? '',
    sort: query.get('sort') ?? '',
  }
}

/** A query with the changes; `undefined`, 0 for the page and empty texts are left out. */
export function writeState(query: URLSearchParams, changes: Partial<ViewerState>): URLSearchParams {
  const next = new URLSearchParams(query)
  const names = { page: 'p', row: 'row', search: 'search', filter: 'filter', sort: 'sort' } as const
  for (const [key, value] of Object.entries(changes)) {
    const name = names[key as keyof ViewerState]
    if (value === undefined || value === '' || (name === 'p' && value === 0)) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

/**
 * The state in the address, and its setter. Changes replace the address: going back leaves the table. While another page
 * loads, changes are dropped: a second navigation would cancel the one to that page.
 */
export function useViewerState(): [ViewerState, (changes: Partial<ViewerState>) => void] {
  const [query, setQuery] = useSearchParams()
  const { pathname } = useLocation()
  const change = (changes: Partial<ViewerState>) => {
    // The router has the next page before React shows it.
    const isLeft = new URL(pathname, window.location.origin).pathname !== window.location.pathname
    if (isLeft || isNavigating()) return
    const current = new URLSearchParams(window.location.search)
    const next = writeState(current, changes)
    if (next.toString() !== current.toString()) setQuery(next, { replace: true, preventScrollReset: true })
  }
  return [useMemo(() => readState(query), [query]), change]
}

/** An order as `orderby` takes it. */
export const sortText = ({ name, direction }: SortOrder): string =>
  `${columnText([name])}${direction === 'desc' ? ' DESC' : ''}`

/** The order that an `orderby` text of one column says. */
export function parseSort(text: string): SortOrder | undefined {
  const [, quoted, plain, direction = ''] =
    /^\s*(?:"((?:[^"]|"")+)"|(\w+))(?:\s+(asc|desc))?\s*$/i.exec(text) ?? []
  const name = quoted?.replaceAll('""', '"') ?? plain
  if (name === undefined) return undefined
  return { name, direction: direction.toLowerCase() === 'desc' ? 'desc' : 'asc' }
}
