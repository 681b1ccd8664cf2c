import { and, eq, exists, gt, not, or } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { isIdle } from './idle.ts'
import type { Policies } from './policies.ts'
import { isBeyond, isWorking } from './token-policy.ts'

/** Whom policies touch: what works now and would not be made, or would not last, under them. */
export interface PolicyEffect {
  /** Tokens that end later than one may that is made then; they stay. */
  tokensBeyond: number
  tokens: number
  /** Sessions that end at once. */
  sessionsEnding: number
  sessions: number
  /** Enabled admins who have neither a passkey nor a provider. */
  adminsWithoutFactor: number
  admins: number
}

/** What `policies` touch as of now, whether or not they hold. For instance admins. */
export async function policyEffect(
  ctx: Ctx,
  policies: Omit<Policies, 'password_min_score' | 'admin_second_factor'>,
): Promise<PolicyEffect> {
  requireInstanceAdmin(ctx.actor)
  const { q, t } = ctx.db
  const now = ctx.now()
  const { tokens, sessions, users, passkeys, identities } = t
  const works = isWorking(t, now)
  const lasts = gt(sessions.expires_at, now)
  const idle = isIdle(t, policies.session_idle_minutes, now)
  const isAdmin = and(eq(users.is_admin, true), eq(users.disabled, false))
  const hasFactor = or(
    exists(q.select().from(passkeys).where(eq(passkeys.user_id, users.id))),
    exists(q.select().from(identities).where(eq(identities.user_id, users.id))),
  )
  return {
    tokensBeyond: await q.$count(tokens, and(works, isBeyond(t, policies, now))),
    tokens: await q.$count(tokens, works),
    sessionsEnding: idle ? await q.$count(sessions, and(lasts, idle)) : 0,
    sessions: await q.$count(sessions, lasts),
    adminsWithoutFactor: await q.$count(users, and(isAdmin, hasFactor && not(hasFactor))),
    admins: await q.$count(users, isAdmin),
  }
}
