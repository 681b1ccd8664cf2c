import { requireUser, type UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { findUserById, organisationsOf, type Organisation, type User } from '../namespaces/index.ts'
import { Problem } from '../problems/index.ts'

/** The caller as they see themselves. */
export interface Me {
  user: User
  orgs: Organisation[]
  /** How they are signed in. */
  actor: UserActor
}

/** The signed-in caller, by Session or any Token; `undefined` for anonymous. */
export async function findMe(ctx: Ctx): Promise<Me | undefined> {
  return ctx.actor.kind === 'anonymous' ? undefined : getMe(ctx)
}

/** The signed-in caller; Problem `unauthenticated` for anonymous. */
export async function getMe({ actor: caller, db }: Ctx): Promise<Me> {
  const actor = requireUser(caller)
  const [user, orgs] = await Promise.all([findUserById(db, actor.id), organisationsOf(db, actor.id)])
  if (!user) throw new Problem('bad-credentials')
  return { user, orgs, actor }
}
