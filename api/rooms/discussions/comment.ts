import { eq, sql } from 'drizzle-orm'
import { actorId } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import type { RepoAddress } from '../repos/index.ts'
import { keepUses } from './attachments/uses.ts'
import { addEvent, findEvent, type DiscussionEvent } from './event-queries.ts'
import { notifyMentioned } from './notifications/mentions.ts'
import type { Discussion } from './queries.ts'
import { publishDiscussion } from './publish.ts'
import { commentOf, requireDiscussion, requireForumToChange } from './require.ts'
import { findPlace, type Place, type WantedPlace } from './review/place.ts'
import { openThreadAt } from './review/thread.ts'

/**
 * Adds a comment of the caller's to a thread, or to lines of a pull request's diff. Problems `not-found`,
 * `discussions-disabled`, `validation-failed`, and those of `findPlace`.
 */
export async function comment(
  ctx: Ctx,
  address: RepoAddress,
  num: number,
  text: string,
  wanted?: WantedPlace,
): Promise<DiscussionEvent> {
  const body = commentOf(text)
  const place = wanted && (await findPlace(ctx, address, num, wanted))
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    return addComment(tx, ctx, await requireDiscussion(tx, repo, num), body, { place })
  })
}

/** Where a comment stands, and the review that it is sent with: people hear of that one alone. */
interface Standing {
  place?: Place | undefined
  reviewId?: string
}

/** Adds a comment whose text has been checked. */
export async function addComment(
  tx: Tx,
  ctx: Ctx,
  { id, repoId, num }: Discussion,
  body: string,
  { place, reviewId }: Standing = {},
): Promise<DiscussionEvent> {
  const now = ctx.now()
  const event = await addEvent(
    tx,
    {
      discussion_id: id,
      type: 'comment',
      author_id: actorId(ctx.actor),
      created_at: now,
      body,
      review_id: reviewId ?? null,
      ...(place && { ...columnsOf(place), thread_id: await openThreadAt(tx, id, place) }),
    },
    { isHeard: reviewId === undefined },
  )
  await keepUses(tx, ctx, { id: event, repoId }, body)
  if (reviewId === undefined) await notifyMentioned(tx, ctx, event, body)
  const { discussions: d } = tx.t
  await tx.q
    .update(d)
    .set({ comment_count: sql`${d.comment_count} + 1`, updated_at: now })
    .where(eq(d.id, id))
  await publishDiscussion(tx, ctx, { repoId, num, action: 'create', comment: event })
  return written(tx, id, event)
}

const columnsOf = ({ path, side, line, startLine, commit, fileOid, excerpt }: Place) => ({
  path,
  side,
  line,
  start_line: startLine ?? null,
  commit_oid: Buffer.from(commit, 'hex'),
  file_oid: Buffer.from(fileOid, 'hex'),
  excerpt,
})

/** An entry as it has just been written. */
export async function written(tx: Tx, discussionId: string, id: string): Promise<DiscussionEvent> {
  const event = await findEvent(tx, discussionId, id)
  if (!event) throw new Error(`the entry ${id} was written, but is not there`)
  return event
}
