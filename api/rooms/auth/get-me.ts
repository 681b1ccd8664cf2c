import { requireUser, type UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { findUserById, organisationsOf, type Organisation, type User } from '../namespaces/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { passkeysOf, recoveryCodesLeft } from './passkeys/queries.ts'
import { identitiesOf, type IdentityRow } from './oidc/queries.ts'

/** The caller as they see themselves. */
export interface Me {
  user: User
  orgs: Organisation[]
  identities: IdentityRow[]
  passkeys: number
  recoveryCodesLeft: number
  /** How they are signed in. */
  actor: UserActor
}

/** The signed-in caller, by session or any token; `undefined` for anonymous. */
export async function findMe(ctx: Ctx): Promise<Me | undefined> {
  return ctx.actor.kind === 'anonymous' ? undefined : getMe(ctx)
}

/** The signed-in caller; Problem `unauthenticated` for anonymous. */
export async function getMe({ actor: caller, db }: Ctx): Promise<Me> {
  const actor = requireUser(caller)
  const [user, orgs, identities, passkeys, codes] = await Promise.all([
    findUserById(db, actor.id),
    organisationsOf(db, actor.id),
    identitiesOf(db, actor.id),
    passkeysOf(db, actor.id),
    recoveryCodesLeft(db, actor.id),
  ])
  if (!user) throw new Problem('bad-credentials')
  return { user, orgs, identities, passkeys: passkeys.length, recoveryCodesLeft: codes, actor }
}
