import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { publish, type DiscussionSubject } from '../../core/events/index.ts'
import { findEvent } from './event-queries.ts'
import { findDiscussion, type Discussion, type PullRequest } from './queries.ts'
import type { DiscussionStatus } from '../../../shared/vocabulary.ts'

interface Published {
  repoId: string
  num: number
  action: 'create' | 'update'
  /** Id of the comment it is about: then that is what has changed, unless the discussion itself is new. */
  comment?: string
  isNew?: true
}

/** Publishes what has become of a discussion or of a comment in it, in the transaction of the change. */
export async function publishDiscussion(
  tx: Tx,
  ctx: Ctx,
  { repoId, num, action, comment, isNew }: Published,
): Promise<void> {
  await publish(tx, ctx, {
    repoId,
    event: comment === undefined || isNew ? 'discussion' : 'discussion.comment',
    action,
    facts: async () => {
      const discussion = await findDiscussion(tx, repoId, num)
      if (!discussion) return {}
      return { discussion: factsOf(discussion), ...(await commentFacts(tx, discussion.id, comment)) }
    },
  })
}

/** How a pull request stands, in the hub's words, which are more exact than `open` and `closed`. */
export function standingOf(
  status: DiscussionStatus,
  { merged, isDraft }: PullRequest,
): DiscussionStatus | 'merged' | 'draft' {
  if (merged) return 'merged'
  return isDraft && status === 'open' ? 'draft' : status
}

function factsOf({ id, num, title, status, authorId, pull }: Discussion): DiscussionSubject {
  const said = { id, num, title, authorId, status: pull ? standingOf(status, pull) : status }
  if (!pull) return said
  return { ...said, base: pull.baseRef, ...(pull.merged && { mergeCommit: pull.merged.commit }) }
}

async function commentFacts(tx: Tx, discussionId: string, id: string | undefined) {
  const event = id === undefined ? undefined : await findEvent(tx, discussionId, id)
  if (!event) return {}
  const isHidden = event.hiddenAt !== null
  const content = isHidden ? {} : { content: event.body ?? '' }
  return { comment: { id: event.id, authorId: event.authorId, isHidden, ...content } }
}
