import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

const same = (search: URLSearchParams) => search

/**
 * The query of the address as the state of a page, a setter of one parameter and one of several at once; an empty value
 * takes a parameter away. A setter changes what the address has now: that of `useSearchParams` changes what it had when the
 * page was last drawn, so of two quick changes one was lost. `read` puts a query that others have written into the names of
 * this page, which the address has from the first change on.
 */
export function useQueryState(
  read: (search: URLSearchParams) => URLSearchParams = same,
): [URLSearchParams, (name: string, value: string) => void, (values: Record<string, string>) => void] {
  const [search, setSearch] = useSearchParams()
  const setAll = (values: Record<string, string>) => {
    const next = read(new URLSearchParams(window.location.search))
    for (const [name, value] of Object.entries(values))
      if (value) next.set(name, value)
      else next.delete(name)
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  const set = (name: string, value: string) => setAll({ [name]: value })
  return [useMemo(() => read(search), [read, search]), set, setAll]
}
