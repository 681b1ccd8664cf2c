import { and, eq, isNotNull } from 'drizzle-orm'
import { requireFresh, requireInstanceAdmin, type UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { relyingParty } from '../passkeys/relying-party.ts'
import { hasPasskey } from '../passkeys/queries.ts'
import { isIdle } from './idle.ts'
import { noPolicies, policyRow, readPolicies, type Policies } from './policies.ts'

/** A change of policies; what is left out stays. */
export type PoliciesUpdate = { [K in keyof Policies]?: Policies[K] | undefined }

/** The policies, for instance admins. */
export async function getPolicies(ctx: Ctx): Promise<Policies> {
  requireInstanceAdmin(ctx.actor)
  return readPolicies(ctx.db)
}

/**
 * Changes the policies; they hold at once, in every process. Tokens beyond them stay, sessions that were idle for too long
 * by the former policy do not come back. For instance admins with a fresh sign-in. Problems: `fresh-sign-in-required`,
 * `validation-failed` for a second factor where no admin could set one up, `state-conflict` for admins without one of their own.
 */
export async function updatePolicies(ctx: Ctx, change: PoliciesUpdate): Promise<Policies> {
  const admin = requireInstanceAdmin(ctx.actor)
  requireFresh(admin, ctx.now())
  return ctx.db.write(async (tx) => {
    const before = await heldPolicies(tx, ctx.now())
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    const after = { ...before, ...(Object.fromEntries(given) as Partial<Policies>) }
    if (after.admin_second_factor && !before.admin_second_factor) await requireOwnFactor(tx, ctx, admin)
    const idle = isIdle(tx.t, before.session_idle_minutes, ctx.now())
    if (idle) await tx.q.delete(tx.t.sessions).where(idle)
    await tx.q.update(tx.t.instance_policies).set({ ...after, updated_at: ctx.now() })
    await auditPolicies(tx, ctx, before, after)
    return after
  })
}

/** Lifts every policy. For the command line, where a policy shuts out those who could lift it. */
export async function resetPolicies(ctx: Ctx): Promise<void> {
  await ctx.db.write(async (tx) => {
    const before = await heldPolicies(tx, ctx.now())
    await tx.q.update(tx.t.instance_policies).set({ ...noPolicies, updated_at: ctx.now() })
    await auditPolicies(tx, ctx, before, noPolicies)
  })
}

async function auditPolicies(tx: Tx, ctx: Ctx, before: Policies, after: Policies): Promise<void> {
  const target = { type: 'instance', id: policyRow, name: 'policies' }
  await audit(tx, ctx, { action: 'policies.update', target, before: { ...before }, after: { ...after } })
}

/** The policies, which no other change passes until the transaction ends. */
async function heldPolicies(tx: Tx, now: Date): Promise<Policies> {
  const { instance_policies: p } = tx.t
  await tx.q
    .insert(p)
    .values({ id: policyRow, updated_at: now })
    .onConflictDoUpdate({ target: p.id, set: { id: policyRow } })
  return readPolicies(tx)
}

/** An admin who demands a second factor of admins has one, so that the demand does not shut out its maker. */
async function requireOwnFactor(tx: Tx, ctx: Ctx, { id, auth }: UserActor): Promise<void> {
  const party = relyingParty(ctx.config)
  const hasProviders = ctx.config.oidc.providers.length > 0
  if ('reason' in party && !hasProviders)
    throw invalidField('admin_second_factor', `cannot be switched on: ${party.reason}`, 'impossible')
  const { sessions } = tx.t
  const isByProvider =
    auth.kind === 'session' &&
    (await tx.q.$count(sessions, and(eq(sessions.id, auth.sessionId), isNotNull(sessions.identity_id)))) > 0
  if (isByProvider || (await hasPasskey(tx, id))) return
  throw new Problem('state-conflict', {
    detail:
      'Add a passkey to your own account first, under Settings → Sign-in methods. Otherwise you would be locked out.',
  })
}
