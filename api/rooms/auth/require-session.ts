import { requireAccount, requireFresh, type UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'

/** A caller who is signed in by a session. */
export type SessionUser = UserActor & { auth: Extract<UserActor['auth'], { kind: 'session' }> }

/** The caller, signed in by a session: what a token may not do, such as change how its owner signs in. Problem `session-required`. */
export function requireSession({ actor }: Pick<Ctx, 'actor'>): SessionUser {
  const user = requireAccount(actor, 'write')
  if (user.auth.kind !== 'session') throw new Problem('session-required')
  return { ...user, auth: user.auth }
}

/** The same with a fresh sign-in. Problems: `session-required`, `fresh-sign-in-required`. */
export function requireFreshSession(ctx: Pick<Ctx, 'actor' | 'now'>): SessionUser {
  const user = requireSession(ctx)
  requireFresh(user, ctx.now())
  return user
}
