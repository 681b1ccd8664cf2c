import { and, asc, eq, inArray, isNotNull, max } from 'drizzle-orm'
import type { ReviewerState, ReviewVerdict } from '../../../../shared/vocabulary.ts'
import { isAtLeast, rolesOfPeople } from '../../../core/access/index.ts'
import type { Repo } from '../../repos/index.ts'
import type { Discussion, Reader } from '../queries.ts'

/** Somebody who has reviewed a pull request, or is asked to. */
export interface Reviewer {
  username: string
  state: ReviewerState
  /** The pull request has new commits since. */
  isOutdated: boolean
  /** Whether they may write to the repo, so that their verdict weighs. */
  counts: boolean
}

/** What the reviews of a pull request come to. */
export type ReviewStanding = 'approved' | 'changes_requested'

const stateOf: Record<ReviewVerdict, ReviewerState> = {
  approve: 'approved',
  request_changes: 'changes_requested',
  comment: 'commented',
}

/** Reviewers that are read for a page of pull requests. */
const maxRows = 2000

/** The latest review of each verdict by each person, oldest first. */
async function latestReviews({ q, t }: Reader, discussionIds: string[]) {
  const { discussion_events: e, namespaces } = t
  const latest = q
    .select({ id: max(e.id) })
    .from(e)
    .where(and(inArray(e.discussion_id, discussionIds), isNotNull(e.verdict)))
    .groupBy(e.discussion_id, e.author_id, e.verdict)
  return q
    .select({
      discussionId: e.discussion_id,
      userId: namespaces.id,
      username: namespaces.name,
      verdict: e.verdict,
      head: e.commit_oid,
    })
    .from(e)
    .innerJoin(namespaces, eq(namespaces.id, e.author_id))
    .where(inArray(e.id, latest))
    .orderBy(asc(e.id))
    .limit(maxRows)
}

async function requestsOf({ q, t }: Reader, discussionIds: string[]) {
  const { review_requests: r, namespaces } = t
  return q
    .select({ discussionId: r.discussion_id, userId: namespaces.id, username: namespaces.name })
    .from(r)
    .innerJoin(namespaces, eq(namespaces.id, r.user_id))
    .where(inArray(r.discussion_id, discussionIds))
    .orderBy(asc(r.created_at), asc(namespaces.name_key))
    .limit(maxRows)
}

/**
 * The reviewers of these pull requests of a repo, by the id of each. Of a person the latest verdict counts, which comments
 * leave as it is; a new request takes its place.
 */
export async function listReviewers(
  reader: Reader,
  repo: Repo,
  discussions: readonly Discussion[],
): Promise<Map<string, Reviewer[]>> {
  const pulls = new Map(discussions.flatMap((each) => (each.pull ? [[each.id, each] as const] : [])))
  if (pulls.size === 0) return new Map()
  const ids = [...pulls.keys()]
  const reviews = await latestReviews(reader, ids)
  const requests = await requestsOf(reader, ids)
  const people = [...new Set([...reviews, ...requests].map(({ userId }) => userId))]
  const roles = await rolesOfPeople(reader, repo, people)
  const found = new Map(ids.map((id) => [id, new Map<string, Reviewer>()]))
  const put = (
    { discussionId, userId, username }: { discussionId: string; userId: string; username: string },
    state: ReviewerState,
    isOutdated = false,
  ) =>
    found
      .get(discussionId)
      ?.set(userId, { username, state, isOutdated, counts: isAtLeast(roles.get(userId), 'write') })
  for (const review of reviews) {
    const { discussionId, userId, verdict, head } = review
    const pull = pulls.get(discussionId)
    if (!verdict || userId === pull?.authorId) continue
    const before = found.get(discussionId)?.get(userId)?.state
    if (verdict === 'comment' && before !== undefined && before !== 'commented') continue
    put(review, stateOf[verdict], head?.toString('hex') !== pull?.pull?.head)
  }
  for (const request of requests) put(request, 'requested')
  return new Map([...found].map(([id, each]) => [id, [...each.values()]]))
}

/** Changes that are requested stay so; an approval is of the commits that were read. Only those count who may write. */
export function standingOfReviews(reviewers: readonly Reviewer[]): ReviewStanding | undefined {
  const counted = reviewers.filter(({ counts }) => counts)
  if (counted.some(({ state }) => state === 'changes_requested')) return 'changes_requested'
  return counted.some(({ state, isOutdated }) => state === 'approved' && !isOutdated) ? 'approved' : undefined
}
