import type { Ctx } from '../../core/ctx.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { listEvents, type DiscussionEvent } from './event-queries.ts'
import type { Discussion } from './queries.ts'
import { requireDiscussion, requireForum } from './require.ts'

/** A discussion with its whole thread. */
export interface DiscussionThread {
  repo: Repo
  discussion: Discussion
  events: DiscussionEvent[]
}

/** Two statements, however long the thread. Problems `not-found`, `discussions-disabled`. */
export async function getDiscussion(ctx: Ctx, address: RepoAddress, num: number): Promise<DiscussionThread> {
  const repo = await requireForum(ctx, address, 'repo.read')
  const discussion = await requireDiscussion(ctx.db, repo, num)
  return { repo, discussion, events: await listEvents(ctx.db, discussion.id) }
}
