import { and, eq } from 'drizzle-orm'
import { actorId } from '../../../core/access/index.ts'
import type { AccessRequestStatus } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { newId } from '../../../stores/db/index.ts'
import { requireNamedUser } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { findRequest, type AccessRequest } from './access-requests.ts'
import type { RepoAddress } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { requireRepo, requireRepoToChange } from '../find.ts'

export interface AccessDecision {
  /** `pending` takes a decision back. */
  status: AccessRequestStatus
  reason?: string | undefined
}

const auditAs = { accepted: 'accept', rejected: 'reject', pending: 'reopen' } as const

/**
 * Accepts or rejects a request, or turns an earlier decision round. Of two decisions at once one wins.
 * Problems: `repo-not-found`, `forbidden`, `not-found`, `state-conflict`.
 */
export async function decideAccessRequest(
  ctx: Ctx,
  address: RepoAddress,
  of: { id: string } | { username: string },
  decision: AccessDecision,
): Promise<AccessRequest> {
  const seen = await requireRepo(ctx, address, 'repo.access-requests.decide')
  const meant = 'id' in of ? of : { userId: (await requireNamedUser(ctx.db, of.username)).id }
  const before = await findRequest(ctx.db, seen.id, meant)
  return ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.access-requests.decide')
    const present = await findRequest(tx, repo.id, meant)
    const { status } = decision
    if (present.status !== before.status || present.status === status)
      throw new Problem('state-conflict', { detail: `The request is ${present.status} already.` })
    const { access_requests: r } = tx.t
    await tx.q.update(r).set(decided(ctx, decision)).where(eq(r.id, present.id))
    const change = { before: { status: before.status }, after: { status, user: present.user } }
    await auditRepo(tx, ctx, `repo.access.${auditAs[status]}`, repo, change)
    return findRequest(tx, repo.id, { id: present.id })
  })
}

function decided(ctx: Ctx, { status, reason }: AccessDecision) {
  if (status === 'pending') return { status, reason: null, decided_at: null, decided_by: null }
  return { status, reason: reason ?? null, decided_at: ctx.now(), decided_by: actorId(ctx.actor) }
}

/**
 * Gives a user access to the files of a gated repo, whether they have asked or not.
 * Problems: `repo-not-found`, `forbidden`, `not-found` for the user, `state-conflict` when they have it, or the repo is
 * not gated.
 */
export async function grantAccess(ctx: Ctx, address: RepoAddress, username: string): Promise<void> {
  await requireRepo(ctx, address, 'repo.access-requests.decide')
  const user = await requireNamedUser(ctx.db, username)
  await ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.access-requests.decide')
    if (!repo.gated) throw new Problem('state-conflict', { detail: 'This repo is not gated.' })
    const { access_requests: r } = tx.t
    const [earlier] = await tx.q
      .select()
      .from(r)
      .where(and(eq(r.repo_id, repo.id), eq(r.user_id, user.id)))
    if (earlier?.status === 'accepted')
      throw new Problem('state-conflict', { detail: `${user.username} has access already.` })
    const set = decided(ctx, { status: 'accepted' })
    await tx.q
      .insert(r)
      .values({ id: newId(), repo_id: repo.id, user_id: user.id, requested_at: ctx.now(), ...set })
      .onConflictDoUpdate({ target: [r.repo_id, r.user_id], set })
    const before = earlier ? { before: { status: earlier.status } } : {}
    const after = { status: 'accepted', user: user.username }
    await auditRepo(tx, ctx, 'repo.access.grant', repo, { ...before, after })
  })
}
