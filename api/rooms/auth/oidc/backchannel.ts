import { and, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { audit } from '../../../core/events/index.ts'
import { findUserById } from '../../namespaces/index.ts'
import { providerKey, refuseLocked } from '../throttle.ts'
import { discover } from './discovery.ts'
import { requireProvider } from './provider.ts'
import { verifyLogoutToken } from './tokens.ts'

/**
 * Ends the sessions that a provider's logout token names: those of its subject, of its own session, or of both. Answers
 * how many. Throws `Refused`; Problem `throttled`.
 */
export async function logOutByProvider(ctx: Ctx, providerId: string, token: string): Promise<number> {
  const provider = requireProvider(ctx, providerId)
  await refuseLocked(ctx, [providerKey(ctx.origin.ip)])
  const metadata = await discover(ctx, provider)
  const { subject, sid } = await verifyLogoutToken(ctx, provider, metadata, token)
  return ctx.db.write(async (tx) => {
    const { identities, sessions } = tx.t
    const known = await tx.q
      .select({ id: sessions.id, userId: sessions.user_id })
      .from(sessions)
      .innerJoin(identities, eq(identities.id, sessions.identity_id))
      .where(
        and(
          eq(identities.provider, provider.id),
          subject === undefined ? undefined : eq(identities.subject, subject),
          sid === undefined ? undefined : eq(sessions.oidc_sid, sid),
        ),
      )
    const ids = known.map(({ id }) => id)
    if (ids.length > 0) await tx.q.delete(sessions).where(inArray(sessions.id, ids))
    for (const userId of new Set(known.map((session) => session.userId))) {
      const user = await findUserById(tx, userId)
      const target = { type: 'user', id: userId, name: user?.username ?? '' }
      await audit(tx, ctx, { action: 'session.end', target, after: { provider: provider.id } })
    }
    return ids.length
  })
}
