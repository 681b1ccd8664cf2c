import { aliasedTable, and, desc, eq, lt, or } from 'drizzle-orm'
import { can, policyOf, requireUser } from '../../../core/access/index.ts'
import type { AccessRequestStatus } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { newId, readPage, type Page } from '../../../stores/db/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { RepoAddress } from '../address.ts'
import { requireAnswers } from './access-form.ts'
import { auditRepo } from '../audit.ts'
import { requireRepo, requireRepoToChange } from '../find.ts'
import type { Reader } from '../queries.ts'

/** A user's wish to read the files of a gated repo. */
export interface AccessRequest {
  id: string
  user: string
  displayName: string
  status: AccessRequestStatus
  message: string | null
  fields: Record<string, string> | null
  reason: string | null
  requestedAt: Date
  decidedAt: Date | null
  decidedBy: string | null
}

// native-api.md §4
const askAgainAfterMs = 24 * 3_600_000

function requests({ q, t: { access_requests: r, namespaces } }: Reader) {
  const deciders = aliasedTable(namespaces, 'deciders')
  return (
    q
      .select({
        id: r.id,
        user: namespaces.name,
        displayName: namespaces.display_name,
        status: r.status,
        message: r.message,
        fields: r.fields,
        reason: r.reason,
        requestedAt: r.requested_at,
        decidedAt: r.decided_at,
        decidedBy: deciders.name,
      })
      .from(r)
      // drizzle types an aliased table as the table itself, so both must be joined alike.
      .leftJoin(namespaces, eq(namespaces.id, r.user_id))
      .leftJoin(deciders, eq(deciders.id, r.decided_by))
  )
}

type Row = Awaited<ReturnType<typeof requests>>[number]
const toRequest = ({ user, displayName, ...row }: Row): AccessRequest => ({
  ...row,
  user: user ?? '',
  displayName: displayName ?? '',
})

/** A request under its repo, by its own id or by that of whose it is. Problem `not-found`. */
export async function findRequest(
  db: Reader,
  repoId: string,
  of: { id: string } | { userId: string },
): Promise<AccessRequest> {
  const { access_requests: r } = db.t
  const isMeant = 'id' in of ? eq(r.id, of.id) : eq(r.user_id, of.userId)
  const [row] = await requests(db).where(and(isMeant, eq(r.repo_id, repoId)))
  if (!row) throw new Problem('not-found', { detail: 'There is no such access request.' })
  return toRequest(row)
}

/** Where a page of requests begins. */
export interface RequestPosition {
  at: number
  id: string
}

/** A page of a repo's access requests, the newest first. Problems: `repo-not-found`, `forbidden`. */
export async function listAccessRequests(
  ctx: Ctx,
  address: RepoAddress,
  status: AccessRequestStatus | undefined,
  { after, limit }: { after?: RequestPosition | undefined; limit: number },
): Promise<Page<AccessRequest, RequestPosition>> {
  const repo = await requireRepo(ctx, address, 'repo.access-requests')
  const { access_requests: r } = ctx.db.t
  const at = new Date(after?.at ?? 0)
  const isListed = and(
    eq(r.repo_id, repo.id),
    status && eq(r.status, status),
    after && or(lt(r.requested_at, at), and(eq(r.requested_at, at), lt(r.id, after.id))),
  )
  return readPage(
    limit,
    async (count) => {
      const rows = await requests(ctx.db)
        .where(isListed)
        .orderBy(desc(r.requested_at), desc(r.id))
        .limit(count)
      return rows.map(toRequest)
    },
    ({ requestedAt, id }) => ({ at: requestedAt.getTime(), id }),
  )
}

/**
 * Asks for access to a gated repo; `auto` accepts at once. A rejected user may ask again after 24 h.
 * Problems: `repo-not-found`, `already-exists` while a request is pending or accepted, `state-conflict` when there is
 * nothing to ask for or it is too early, `validation-failed` where the card asks for more than was answered.
 */
export async function createAccessRequest(
  ctx: Ctx,
  address: RepoAddress,
  { message, fields }: { message?: string | undefined; fields?: Record<string, string> | undefined },
): Promise<AccessRequest> {
  return ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.request-access')
    const user = requireUser(ctx.actor)
    if (!repo.gated || can(ctx.actor, 'repo.commit', repo, policyOf(ctx.config)))
      throw new Problem('state-conflict', { detail: 'Its files are open to you already.' })
    const { access_requests: r } = tx.t
    const isTheirs = and(eq(r.repo_id, repo.id), eq(r.user_id, user.id))
    const [earlier] = await tx.q.select().from(r).where(isTheirs)
    if (earlier) refuseAgain(earlier, repo.gated === 'auto', ctx.now())
    await requireAnswers(tx, repo.id, fields ?? {})
    const accepted = repo.gated === 'auto'
    const set = {
      status: accepted ? ('accepted' as const) : ('pending' as const),
      message: message ?? null,
      fields: fields ?? null,
      reason: null,
      requested_at: ctx.now(),
      decided_at: accepted ? ctx.now() : null,
      decided_by: null,
    }
    const id = earlier?.id ?? newId()
    await tx.q
      .insert(r)
      .values({ id, repo_id: repo.id, user_id: user.id, ...set })
      .onConflictDoUpdate({ target: [r.repo_id, r.user_id], set })
    await auditRepo(tx, ctx, 'repo.access.request', repo, { after: { status: set.status } })
    return findRequest(tx, repo.id, { id })
  })
}

function refuseAgain(
  { status, decided_at }: { status: AccessRequestStatus; decided_at: Date | null },
  isAuto: boolean,
  now: Date,
): void {
  if (status === 'accepted' || (status === 'pending' && !isAuto))
    throw new Problem('already-exists', { detail: `Your request is ${status}.` })
  const waitMs = (decided_at?.getTime() ?? 0) + askAgainAfterMs - now.getTime()
  if (status === 'rejected' && waitMs > 0)
    throw new Problem('state-conflict', {
      detail: 'Your request was rejected; you may ask again a day later.',
      retryAfterS: waitMs / 1000,
    })
}
