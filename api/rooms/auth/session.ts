import { and, eq, lte } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { newId, type Tx } from '../../stores/db/index.ts'
import { digestOf, newSecret } from './secrets.ts'

/**
 * Begins a session of the user and answers its secret, which is stored as a digest alone. Ended ones of the user are
 * swept, and the session of `earlierSecret`, which this one replaces, ends. `by` says with which identity it begins.
 */
export async function beginSession(
  tx: Tx,
  ctx: Ctx,
  userId: string,
  earlierSecret?: string,
  by?: { identityId: string; sid: string | undefined },
): Promise<string> {
  const { sessions } = tx.t
  const now = ctx.now()
  await tx.q.delete(sessions).where(and(eq(sessions.user_id, userId), lte(sessions.expires_at, now)))
  if (earlierSecret) await tx.q.delete(sessions).where(eq(sessions.digest, digestOf(earlierSecret)))
  const secret = newSecret()
  await tx.q.insert(sessions).values({
    id: newId(),
    user_id: userId,
    digest: digestOf(secret),
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + ctx.config.security.session_ttl),
    ip: ctx.origin.ip,
    user_agent: ctx.origin.userAgent,
    identity_id: by?.identityId ?? null,
    oidc_sid: by?.sid ?? null,
    confirmed_at: null,
  })
  return secret
}
