import { discussionKinds, discussionStatuses } from '../../../shared/vocabulary.ts'
import { useQueryState } from '../../lib/query-state.ts'
import type { DiscussionFilter } from './queries.ts'

/** What the list shows, kept in the address: open ones unless it says otherwise. */
export function useListState() {
  const [search, set] = useQueryState()
  const status = search.get('status') ?? 'open'
  const known = discussionStatuses.find((value) => value === status)
  const kind = discussionKinds.find((value) => value === search.get('kind'))
  const author = search.get('author') ?? ''
  const label = search.get('label') ?? ''
  const assignee = search.get('assignee') ?? ''
  const q = search.get('q') ?? ''
  const filter: DiscussionFilter = {
    ...(known ? { status: known } : {}),
    ...(kind ? { kind } : {}),
    ...(author ? { author } : {}),
    ...(label ? { label } : {}),
    ...(assignee ? { assignee } : {}),
    ...(q ? { q } : {}),
  }
  return { status: known ?? 'all', kind, author, label, assignee, q, filter, set }
}
