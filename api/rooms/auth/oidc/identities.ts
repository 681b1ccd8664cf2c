import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { requireFresh } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { audit } from '../../../core/events/index.ts'
import { findUserById, lockNamespace } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { provePassword } from '../change-password.ts'
import { isLocal } from '../local-login.ts'
import { requireSession } from '../require-session.ts'
import { startPath } from './provider.ts'
import { identitiesOf } from './queries.ts'
import { Refused } from './refused.ts'

const ticketMs = 5 * 60_000
const purpose = 'connect identity'

const Ticket = z.object({
  provider: z.string(),
  userId: z.string(),
  sessionId: z.string(),
  expiresAt: z.number(),
})

/**
 * Lets the caller connect their account to a provider: answers where the browser begins. A session older than ten minutes
 * needs the password. Problems: `session-required`, `not-found`, `fresh-sign-in-required`, `wrong-password`, `throttled`.
 */
export async function connectIdentity(
  ctx: Ctx,
  { provider: id, current_password }: { provider: string; current_password?: string | undefined },
): Promise<string> {
  const { auth, id: userId } = requireSession(ctx)
  const provider = ctx.config.oidc.providers.find((each) => each.id === id)
  if (!provider) throw new Problem('not-found', { detail: `There is no sign-in provider ${id}.` })
  if (current_password !== undefined) await provePassword(ctx, current_password)
  else requireFresh(ctx.actor, ctx.now())
  const expiresAt = ctx.now().getTime() + ticketMs
  const ticket = ctx.secrets.signToken(purpose, {
    provider: id,
    userId,
    sessionId: auth.sessionId,
    expiresAt,
  })
  return `${startPath(provider)}?${new URLSearchParams({ ticket, next: '/settings/sign-in' }).toString()}`
}

/** Who connects which provider by a ticket, in the session that asked for it. Throws `Refused`. */
export function openTicket(
  ctx: Ctx,
  provider: string,
  ticket: string,
): { userId: string; sessionId: string } {
  const { data } = Ticket.safeParse(ctx.secrets.openToken(purpose, ticket))
  const isUsable = data?.provider === provider && data.expiresAt > ctx.now().getTime()
  if (!isUsable || !isSession(ctx, data)) throw new Refused('signed-out')
  return { userId: data.userId, sessionId: data.sessionId }
}

/** Whether the caller is still the one, in the same session. */
export function isSession(
  { actor }: Ctx,
  { userId, sessionId }: { userId: string; sessionId: string },
): boolean {
  return (
    actor.kind === 'user' &&
    actor.id === userId &&
    actor.auth.kind === 'session' &&
    actor.auth.sessionId === sessionId
  )
}

/**
 * Takes a provider's identity off the caller's account, with the sessions that began with it, except the present one.
 * Problems: `session-required`, `not-found`, `state-conflict` for the last way in.
 */
export async function disconnectIdentity(ctx: Ctx, provider: string): Promise<void> {
  const { id, username, auth } = requireSession(ctx)
  await ctx.db.write(async (tx) => {
    await lockNamespace(tx, id)
    const own = await identitiesOf(tx, id)
    const identity = own.find((each) => each.provider === provider)
    if (!identity) throw new Problem('not-found', { detail: `Your account has no identity at ${provider}.` })
    if (!(await hasOtherWayIn(tx, ctx, id, own, provider)))
      throw new Problem('state-conflict', {
        detail:
          'This is your last way to sign in. Connect another provider first, or ask an admin for a reset link.',
      })
    const { identities, sessions } = tx.t
    await tx.q.delete(identities).where(eq(identities.id, identity.id))
    const began = await tx.q
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.identity_id, identity.id))
    for (const session of began)
      if (session.id !== auth.sessionId)
        await tx.q.delete(sessions).where(and(eq(sessions.id, session.id), eq(sessions.user_id, id)))
    await audit(tx, ctx, {
      action: 'identity.disconnect',
      target: { type: 'user', id, name: username },
      before: { provider, subject: identity.subject },
    })
  })
}

/** A password where it is a way in, or an identity at a provider that is still configured. */
async function hasOtherWayIn(
  tx: Tx,
  ctx: Ctx,
  userId: string,
  own: { provider: string }[],
  leaving: string,
): Promise<boolean> {
  const user = await findUserById(tx, userId)
  if (user?.password_hash && isLocal(ctx, user.username)) return true
  const configured = new Set(ctx.config.oidc.providers.map(({ id }) => id))
  return own.some(({ provider }) => provider !== leaving && configured.has(provider))
}
