import { useSearchParams } from 'react-router'
import { discussionKinds, discussionStatuses } from '../../../shared/vocabulary.ts'
import type { DiscussionFilter } from './queries.ts'

/** What the list shows, kept in the address: open ones unless it says otherwise. */
export function useListState() {
  const [search, setSearch] = useSearchParams()
  const status = search.get('status') ?? 'open'
  const known = discussionStatuses.find((value) => value === status)
  const kind = discussionKinds.find((value) => value === search.get('kind'))
  const author = search.get('author') ?? ''
  const q = search.get('q') ?? ''
  const filter: DiscussionFilter = {
    ...(known ? { status: known } : {}),
    ...(kind ? { kind } : {}),
    ...(author ? { author } : {}),
    ...(q ? { q } : {}),
  }
  const set = (key: 'status' | 'kind' | 'author' | 'q', value: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        if (value) next.set(key, value)
        else next.delete(key)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return { status: known ?? 'all', kind, author, q, filter, set }
}
