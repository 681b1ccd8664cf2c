import { useOutletContext } from 'react-router'
import type { Discussion, DiscussionEvent } from '../../lib/types.ts'

/** A pull request, and what is particular to it. */
export interface PullProps {
  discussion: Discussion
  pull: NonNullable<Discussion['pull_request']>
}

/** How a discussion stands, in a word. A merged pull request is closed and a draft is open, and they say so themselves. */
export type Standing = 'open' | 'closed' | 'merged' | 'draft'

export function standingOf({ status, pull_request: pull }: Discussion): Standing {
  if (pull?.merged_at) return 'merged'
  return pull?.draft && status === 'open' ? 'draft' : status
}

/** The discussion whose page this is. */
export const useThread = () => useOutletContext<Discussion>()

/** The first comments of the threads on a pull request's lines, by their ids. */
export const threadsOf = ({ events = [] }: Discussion): Map<string, DiscussionEvent> =>
  new Map(events.flatMap((event) => (event.place && event.thread === event.id ? [[event.id, event]] : [])))

/** The commits of a pull request, oldest first. */
export const commitsOf = ({ events = [] }: Discussion): DiscussionEvent[] =>
  events.filter((event) => event.type === 'commit' && event.commit)
