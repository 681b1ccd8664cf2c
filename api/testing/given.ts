import { randomUUID } from 'node:crypto'
import type { Actor, UserActor } from '../core/access/index.ts'
import { addToken, type NewToken } from '../rooms/auth/create-token.ts'
import { actorOfSession, actorOfToken } from '../rooms/auth/index.ts'
import { beginSession } from '../rooms/auth/session.ts'
import { addUser, createOrg, type NamespaceRow, type NewUser } from '../rooms/namespaces/index.ts'
import { createRepo, type NewRepo, type Repo } from '../rooms/repos/index.ts'
import type { Role } from '../../shared/vocabulary.ts'
import type { World } from './world.ts'

function userOnly(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new Error('no user')
  return actor
}

/** A new user, signed in by a session. They have no password unless a hash is given. */
export async function givenUser(
  world: World,
  username: string,
  more: Partial<NewUser> = {},
): Promise<UserActor & { secret: string }> {
  const ctx = world.ctx()
  const secret = await world.db.write(async (tx) => {
    const user = await addUser(tx, ctx, { username, passwordHash: null, ...more })
    return beginSession(tx, ctx, user.id)
  })
  return { ...userOnly(await actorOfSession(world.deps, secret)), secret }
}

/** A new organisation of `admin`, who and whose `others` have their roles there from now on, in the given actors too. */
export async function givenOrg(
  world: World,
  name: string,
  admin: UserActor,
  others: [UserActor, Role][] = [],
): Promise<NamespaceRow> {
  const org = await createOrg(world.ctx(admin), { ns: name })
  await world.db.write(async ({ q, t }) => {
    for (const [{ id: user_id }, role] of others)
      await q
        .insert(t.members)
        .values({ org_id: org.id, user_id, role, source: 'manual', joined_at: org.created_at })
  })
  // Each request makes a new actor; tests that hold one must set the role themselves.
  for (const [actor, role] of [[admin, 'admin'] as const, ...others])
    (actor.roles as Map<string, Role>).set(org.id, role)
  return org
}

/** A new token of `owner`, with the scope `write` by default: its secret, and its owner signed in by it. */
export async function givenToken(
  world: World,
  owner: { id: string },
  more: Partial<NewToken> = {},
): Promise<{ secret: string; actor: UserActor }> {
  const wanted: NewToken = { name: randomUUID(), scopes: ['write'], fence: null, expiresAt: null, ...more }
  const { secret } = await world.db.write((tx) => addToken(tx, world.ctx(), owner, wanted))
  return { secret, actor: userOnly(await actorOfToken(world.deps, secret)) }
}

/** A new repo of `creator`'s with its first commit: a private model in their namespace by default. */
export async function givenRepo(
  world: World,
  creator: UserActor,
  more: Partial<NewRepo> = {},
): Promise<Repo> {
  const name = `repo-${randomUUID().slice(0, 8)}`
  const usual = { type: 'model' as const, ns: creator.username, name, visibility: 'private' as const }
  return createRepo(world.ctx(creator), { ...usual, ...more })
}
