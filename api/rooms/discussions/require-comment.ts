import { Problem } from '../../platform/problems/index.ts'
import type { Repo } from '../repos/index.ts'
import { findEvent, type DiscussionEvent } from './event-queries.ts'
import type { Discussion, Reader } from './queries.ts'
import { requireDiscussion } from './require.ts'

/** Which comment: its id, or the 24 digits that hub clients know it by. */
export interface CommentAddress {
  num: number
  id: string
}

const isId = /^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The comment of this id in this very discussion. Problem `not-found`. */
export async function requireComment(
  reader: Reader,
  repo: Repo,
  { num, id }: CommentAddress,
): Promise<{ discussion: Discussion; found: DiscussionEvent }> {
  const discussion = await requireDiscussion(reader, repo, num)
  const found = isId.test(id) ? await findEvent(reader, discussion.id, id.toLowerCase()) : undefined
  if (found?.type === 'comment') return { discussion, found }
  throw new Problem('not-found', { detail: 'There is no such comment.' })
}
