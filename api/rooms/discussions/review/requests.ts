import { and, eq } from 'drizzle-orm'
import { limits, namePattern } from '../../../../shared/vocabulary.ts'
import { actorId, rolesOfPeople } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Repo, RepoAddress } from '../../repos/index.ts'
import { addEvent } from '../event-queries.ts'
import { notifyRequested } from '../notifications/notify.ts'
import { setDiscussion } from '../queries.ts'
import {
  authoriseAuthor,
  requireForumToChange,
  requireOpen,
  requirePullRequest,
  type PullRequestDiscussion,
} from '../require.ts'

/**
 * Asks a person for a review, or no longer: for the author of a pull request, and for all who may write to the repo. Doing
 * so twice changes nothing. Problems `not-found`, for people who may not read the repo as for those there are not;
 * `state-conflict` for a closed pull request, for its author, and for too many people.
 */
export async function requestReview(
  ctx: Ctx,
  address: RepoAddress,
  { num, username }: { num: number; username: string },
  isWanted: boolean,
): Promise<{ repo: Repo; discussion: PullRequestDiscussion }> {
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const discussion = await requirePullRequest(tx, repo, num)
    authoriseAuthor(ctx, repo, discussion.authorId, 'repo.edit-discussions')
    const person = isWanted ? await requireReader(tx, repo, username) : await findPerson(tx, username)
    if (isWanted && person) await addRequest(tx, ctx, discussion, person)
    else if (person && (await removeRequest(tx, discussion.id, person.id)))
      await note(tx, ctx, discussion, { before: person.name })
    return { repo, discussion }
  })
}

interface Person {
  id: string
  name: string
}

async function findPerson({ q, t: { namespaces } }: Tx, username: string): Promise<Person | undefined> {
  if (!namePattern.test(username)) return undefined
  const [row] = await q
    .select({ id: namespaces.id, name: namespaces.name })
    .from(namespaces)
    .where(and(eq(namespaces.name_key, username.toLowerCase()), eq(namespaces.kind, 'user')))
  return row
}

async function requireReader(tx: Tx, repo: Repo, username: string): Promise<Person> {
  const person = await findPerson(tx, username)
  if (person && (await rolesOfPeople(tx, repo, [person.id])).has(person.id)) return person
  throw new Problem('not-found', { detail: `There is no user "${username}" who can read this repo.` })
}

async function addRequest(
  tx: Tx,
  ctx: Ctx,
  discussion: PullRequestDiscussion,
  { id: user_id, name }: Person,
): Promise<void> {
  requireOpen(discussion)
  if (user_id === discussion.authorId)
    throw new Problem('state-conflict', { detail: `${name} opened this pull request. Ask somebody else.` })
  const { review_requests: r } = tx.t
  const requested_by = actorId(ctx.actor)
  const created_at = ctx.now()
  const added = await tx.q
    .insert(r)
    .values({ discussion_id: discussion.id, user_id, requested_by, created_at })
    .onConflictDoNothing()
    .returning({ id: r.user_id })
  if (added.length === 0) return
  if ((await tx.q.$count(r, eq(r.discussion_id, discussion.id))) > limits.requestedReviewers)
    throw new Problem('state-conflict', {
      detail: `At most ${limits.requestedReviewers} people can be asked at a time. Take a request back first.`,
    })
  const id = await note(tx, ctx, discussion, { after: name })
  await notifyRequested(tx, { id, authorId: requested_by, createdAt: created_at }, user_id)
}

/** Notes in the thread who is asked, or no longer; answers the id of the entry. */
async function note(
  tx: Tx,
  ctx: Ctx,
  { id }: PullRequestDiscussion,
  change: { before: string } | { after: string },
): Promise<string> {
  const created_at = ctx.now()
  await setDiscussion(tx, id, { updated_at: created_at })
  const by = { discussion_id: id, author_id: actorId(ctx.actor), created_at }
  return addEvent(tx, { ...by, type: 'review_request', ...change })
}

/** Ends a request; answers whether there was one. */
export async function removeRequest(
  { q, t: { review_requests: r } }: Tx,
  discussionId: string,
  userId: string,
): Promise<boolean> {
  const removed = await q
    .delete(r)
    .where(and(eq(r.discussion_id, discussionId), eq(r.user_id, userId)))
    .returning({ id: r.user_id })
  return removed.length > 0
}
