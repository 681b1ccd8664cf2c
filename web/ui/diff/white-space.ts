import { hashKey, type QueryKey } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useSearchParams } from 'react-router'

/** Whether the diffs of a page ignore white space: it stands in its address, as on GitHub. */
export function useWhiteSpaceOfAddress(): boolean {
  const [search] = useSearchParams()
  return search.get('w') === '1'
}

/** The same for hundreds of diffs, which need not look at each change of the address, such as that by a link to a file. */
export const IgnoresWhiteSpace = createContext(false)
export const useIgnoresWhiteSpace = () => useContext(IgnoresWhiteSpace)

/** Puts it into the address, in place of the one before. */
export function useIgnoreWhiteSpace(): (isIgnored: boolean) => void {
  const [, setSearch] = useSearchParams()
  return (isIgnored) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (isIgnored) next.set('w', '1')
        else next.delete('w')
        return next
      },
      { replace: true, preventScrollReset: true },
    )
}

/** The option of the API; absent where nothing is ignored. */
export const whiteSpaceOption = (isIgnored: boolean) =>
  isIgnored ? { ignore_whitespace: 'true' as const } : {}

const withoutLast = (key: QueryKey) => hashKey(key.slice(0, -1))

/**
 * Keeps what is shown until it comes the other way. `key` is the query's, whose last part says whether white space is
 * ignored.
 */
export const keptWhileAsked =
  (key: QueryKey) =>
  <T>(before: T | undefined, query: { queryKey: QueryKey } | undefined): T | undefined =>
    query && withoutLast(query.queryKey) === withoutLast(key) ? before : undefined
