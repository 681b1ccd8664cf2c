import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../testing.ts'
import { createToken, type NewToken } from './create-token.ts'
import { actorOfToken } from './principals.ts'
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

  test('a Session makes one, its secret works and is nowhere stored', async () => {
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

  test('by Token never has more scope than that one', async () => {
    const { actor } = await givenToken(world, root, { scopes: ['write'] })
    await expect(createToken(world.ctx(actor), { ...plain, scopes: ['admin'] })).rejects.toMatchObject({
      code: 'insufficient-scope',
    })
    await expect(createToken(world.ctx(actor), { ...plain, scopes: ['read', 'write'] })).resolves.toBeTruthy()
  })

  test('by Token never ends later than that one, and with it when nothing is said', async () => {
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
      'a read Token',
      async () => (await givenToken(world, ada, { scopes: ['read'] })).actor,
      'insufficient-scope',
    ],
    [
      'a fenced Token',
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

  test('nobody revokes another user’s, nor learns that it exists', async () => {
    const { token, secret } = await createToken(world.ctx(ada), { ...plain, name: 'hers' })
    for (const id of [token.id, 'no-such-id'])
      await expect(revokeToken(world.ctx(bob), id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(actorOfToken(world.deps, secret)).resolves.toBeTruthy()
    await revokeToken(world.ctx(ada), token.id)
    await expect(actorOfToken(world.deps, secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(revokeToken(world.ctx(ada), token.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('nobody ends another user’s Session', async () => {
    const [session] = await listSessions(world.ctx(ada), { limit: 1 })
    const id = session?.id ?? ''
    await expect(revokeSession(world.ctx(bob), id)).rejects.toMatchObject({ code: 'not-found' })
    await revokeSession(world.ctx(ada), id)
    expect(await listSessions(world.ctx(ada), { limit: 1 })).toEqual([])
  })

  test('a list pages through everything once, newest first', async () => {
    const user = await givenUser(world, 'many')
    for (let i = 0; i < 5; i++) await givenToken(world, user, { name: `t${i}` })
    const names: string[] = []
    for (let after: string | undefined, n = 0; n < 3; n++) {
      const page = await listTokens(world.ctx(user), { after, limit: 2 })
      names.push(...page.map((token) => token.name))
      after = page.at(-1)?.id
    }
    expect(names).toEqual(['t4', 't3', 't2', 't1', 't0'])
  })
})
