import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { createToken, type NewToken } from './create-token.ts'
import { actorOfToken } from './principals.ts'
import { revokeEveryToken, revokeNamedToken, revokeTokensOf } from './revoke-named.ts'
import { listSessions, revokeSession } from './sessions.ts'
import { listTokens, revokeToken } from './tokens.ts'

const plain: NewToken = { name: 'laptop', scopes: ['read'], fence: null, expiresAt: null }

eachDatabase('Tokens', (world) => {
  let ada: UserActor
  let bob: UserActor
  let root: UserActor
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    root = await givenUser(world, 'root', { isAdmin: true })
  })
  const inDays = (days: number) => new Date(world.clock.now.getTime() + days * 86_400_000)

  test('a session makes one, its secret works and is nowhere stored', async () => {
    const { token, secret } = await createToken(world.ctx(ada), plain)
    expect(await actorOfToken(world.deps, secret)).toMatchObject({ id: ada.id })
    expect(secret.startsWith(token.prefix)).toBe(true)
    const { q, t } = world.db
    const stored = JSON.stringify([await q.select().from(t.tokens), await q.select().from(t.audit)])
    expect(stored).not.toContain(secret)
  })

  test('names are unique per user', async () => {
    await createToken(world.ctx(bob), { ...plain, name: 'twice' })
    await expect(createToken(world.ctx(bob), { ...plain, name: 'twice' })).rejects.toMatchObject({
      code: 'name-taken',
      errors: [{ field: 'name', code: 'taken' }],
    })
    await expect(createToken(world.ctx(ada), { ...plain, name: 'twice' })).resolves.toBeTruthy()
  })

  test('an end in the past is refused', async () => {
    const past = { ...plain, name: 'past', expiresAt: world.clock.now }
    await expect(createToken(world.ctx(ada), past)).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'expires_at' }],
    })
  })

  test('by token never has more scope than that one', async () => {
    const { actor } = await givenToken(world, root, { scopes: ['write'] })
    await expect(createToken(world.ctx(actor), { ...plain, scopes: ['admin'] })).rejects.toMatchObject({
      code: 'insufficient-scope',
    })
    await expect(createToken(world.ctx(actor), { ...plain, scopes: ['read', 'write'] })).resolves.toBeTruthy()
  })

  test('by token never ends later than that one, and with it when nothing is said', async () => {
    const { actor } = await givenToken(world, ada, { expiresAt: inDays(2) })
    const make = (name: string, expiresAt: Date | null) =>
      createToken(world.ctx(actor), { ...plain, name, expiresAt })
    await expect(make('later', inDays(3))).rejects.toMatchObject({ errors: [{ field: 'expires_at' }] })
    expect((await make('sooner', inDays(1))).token.expires_at).toEqual(inDays(1))
    expect((await make('unsaid', null)).token.expires_at).toEqual(inDays(2))
  })

  test.each([
    ['anonymous', () => ({ kind: 'anonymous' }) as const, 'unauthenticated'],
    [
      'a read token',
      async () => (await givenToken(world, ada, { scopes: ['read'] })).actor,
      'insufficient-scope',
    ],
    [
      'a fenced token',
      async () => (await givenToken(world, ada, { fence: { namespaces: ['ada'] } })).actor,
      'forbidden',
    ],
  ])('%s neither makes nor sees nor revokes any', async (_, actorOf, code) => {
    const ctx = world.ctx(await actorOf())
    await expect(createToken(ctx, { ...plain, name: 'no' })).rejects.toMatchObject({ code })
    await expect(listTokens(ctx, { limit: 1 })).rejects.toMatchObject({ code })
    await expect(revokeToken(ctx, 'x')).rejects.toMatchObject({ code })
    await expect(listSessions(ctx, { limit: 1 })).rejects.toMatchObject({ code })
    await expect(revokeSession(ctx, 'x')).rejects.toMatchObject({ code })
  })

  test('the scope admin is for instance admins', async () => {
    const admin = { ...plain, name: 'admin', scopes: ['admin' as const] }
    await expect(createToken(world.ctx(ada), admin)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(createToken(world.ctx(root), admin)).resolves.toBeTruthy()
  })

  test('users cannot revoke another user’s, nor learn that it exists', async () => {
    const { token, secret } = await createToken(world.ctx(ada), { ...plain, name: 'hers' })
    for (const id of [token.id, 'no-such-id'])
      await expect(revokeToken(world.ctx(bob), id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(actorOfToken(world.deps, secret)).resolves.toBeTruthy()
    await revokeToken(world.ctx(ada), token.id)
    await expect(actorOfToken(world.deps, secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(revokeToken(world.ctx(ada), token.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('users cannot end another user’s session', async () => {
    const [session] = (await listSessions(world.ctx(ada), { limit: 1 })).items
    const id = session?.id ?? ''
    await expect(revokeSession(world.ctx(bob), id)).rejects.toMatchObject({ code: 'not-found' })
    await revokeSession(world.ctx(ada), id)
    expect((await listSessions(world.ctx(ada), { limit: 1 })).items).toEqual([])
  })

  test('a list pages through everything once, newest first', async () => {
    const user = await givenUser(world, 'many')
    for (let i = 0; i < 5; i++) await givenToken(world, user, { name: `t${i}` })
    const names: string[] = []
    for (let after: string | undefined, n = 0; n < 3; n++) {
      const page = await listTokens(world.ctx(user), { after, limit: 2 })
      names.push(...page.items.map((token) => token.name))
      expect(page.next === undefined).toBe(n === 2)
      after = page.next
    }
    expect(names).toEqual(['t4', 't3', 't2', 't1', 't0'])
  })

  describe('made with another', () => {
    const idOf = (actor: UserActor) => (actor.auth.kind === 'token' ? actor.auth.tokenId : '')
    const isRefused = (secret: string) =>
      expect(actorOfToken(world.deps, secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    /** A chain of tokens, each made with the one before. */
    async function givenChain(owner: UserActor, length: number) {
      const first = await givenToken(world, owner)
      const secrets = [first.secret]
      let { actor } = first
      for (let n = 1; n < length; n++) {
        const { secret } = await createToken(world.ctx(actor), {
          ...plain,
          name: `${idOf(first.actor)}-${n}`,
          scopes: ['write'],
        })
        secrets.push(secret)
        actor = (await actorOfToken(world.deps, secret)) as UserActor
      }
      return { secrets, first: first.actor, last: actor }
    }

    test('are revoked with it, each with its audit row, and no other', async () => {
      const user = await givenUser(world, 'lineage')
      const { secrets, first } = await givenChain(user, 3)
      const sibling = await createToken(world.ctx(first), { ...plain, name: 'sibling' })
      const apart = await givenToken(world, user)
      await revokeToken(world.ctx(user), idOf(first))
      for (const secret of [...secrets, sibling.secret]) await isRefused(secret)
      await expect(actorOfToken(world.deps, apart.secret)).resolves.toBeTruthy()
      const { audit } = world.db.t
      expect(
        await world.db.q.$count(audit, and(eq(audit.action, 'token.revoke'), eq(audit.actor_id, user.id))),
      ).toBe(4)
    })

    test('leave that one when they are revoked', async () => {
      const { secrets, last } = await givenChain(ada, 3)
      await revokeToken(world.ctx(ada), idOf(last))
      await isRefused(secrets[2] ?? '')
      for (const secret of secrets.slice(0, 2))
        await expect(actorOfToken(world.deps, secret)).resolves.toBeTruthy()
    })

    test('are revoked in a chain of any length', async () => {
      const user = await givenUser(world, 'long')
      const { tokens } = world.db.t
      const id = (n: number) => `chain-${String(n).padStart(4, '0')}`
      const row = (n: number) => ({
        id: id(n),
        user_id: user.id,
        parent_id: n === 0 ? null : id(n - 1),
        name: id(n),
        digest: id(n),
        prefix: '',
        scopes: [],
        created_at: world.clock.now,
      })
      await world.db.write(async ({ q }) => {
        for (let from = 0; from < 2000; from += 500)
          await q.insert(tokens).values(Array.from({ length: 500 }, (_, n) => row(from + n)))
      })
      await revokeToken(world.ctx(user), id(0))
      expect(await world.db.q.$count(tokens, eq(tokens.user_id, user.id))).toBe(0)
    })

    test('are not made with one that is revoked meanwhile', async () => {
      const { actor } = await givenToken(world, ada)
      await revokeToken(world.ctx(ada), idOf(actor))
      await expect(createToken(world.ctx(actor), { ...plain, name: 'orphan' })).rejects.toMatchObject({
        code: 'bad-credentials',
      })
    })
  })

  describe('revoked by an admin', () => {
    test('by id, by the name a user gave, or all of a user', async () => {
      const user = await givenUser(world, 'incident')
      const [one, two, three, four] = [
        await givenToken(world, user, { name: 'one' }),
        await givenToken(world, user, { name: 'two' }),
        await givenToken(world, user, { name: 'three' }),
        await givenToken(world, user, { name: 'four' }),
      ]
      const id = one.actor.auth.kind === 'token' ? one.actor.auth.tokenId : ''
      expect((await revokeNamedToken(world.ctx(), id)).map(({ name }) => name)).toEqual(['one'])
      expect((await revokeNamedToken(world.ctx(), 'two', 'INCIDENT')).map(({ name }) => name)).toEqual([
        'two',
      ])
      await expect(revokeNamedToken(world.ctx(), 'three')).rejects.toMatchObject({ code: 'not-found' })
      await expect(revokeNamedToken(world.ctx(), 'three', 'bob')).rejects.toMatchObject({ code: 'not-found' })
      expect((await revokeTokensOf(world.ctx(), 'incident')).length).toBe(2)
      for (const { secret } of [one, two, three, four])
        await expect(actorOfToken(world.deps, secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    })

    test('all there are', async () => {
      const kept = await givenToken(world, bob)
      const before = await world.db.q.$count(world.db.t.tokens)
      expect(await revokeEveryToken(world.ctx())).toBe(before)
      expect(await world.db.q.$count(world.db.t.tokens)).toBe(0)
      await expect(actorOfToken(world.deps, kept.secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    })
  })
})
