import { Argon2id } from 'oslo/password'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { findUser } from '../namespaces/index.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { rememberNetwork } from './known-networks.ts'
import { hashPassword } from './passwords.ts'
import { actorOfSession } from './principals.ts'
import { countFailure, nameKey } from './throttle.ts'
import { login } from './testing.ts'

const password = 'quiet-otter-lamp-42'

eachDatabase('sign-in', (world) => {
  let passwordHash = ''
  beforeAll(async () => {
    passwordHash = await hashPassword(password)
    await givenUser(world, 'Ada', { passwordHash, email: 'Ada@Example.org' })
  })

  const from = (ip: string) => {
    const ctx = world.ctx({ kind: 'anonymous' })
    return { ...ctx, origin: { ...ctx.origin, ip } }
  }
  const wrong = { code: 'bad-credentials', status: 401 }

  test.each(['Ada', 'aDA', 'ada@example.ORG'])(
    'by %s and the password begins a session',
    async (username) => {
      const secret = await login(from('192.0.2.1'), { username, password })
      expect(await actorOfSession(world.deps, secret)).toMatchObject({
        username: 'Ada',
        auth: { kind: 'session' },
      })
      const { q, t } = world.db
      const rows = await q.select().from(t.sessions)
      expect(JSON.stringify(rows)).not.toContain(secret)
    },
  )

  test('lasts exactly session_ttl, however busy', async () => {
    const secret = await login(from('192.0.2.1'), { username: 'Ada', password })
    const begun = world.clock.now
    const ttlMs = world.deps.config.security.session_ttl
    world.clock.now = new Date(begun.getTime() + ttlMs - 1)
    expect(await actorOfSession(world.deps, secret)).toMatchObject({ username: 'Ada' })
    world.clock.now = new Date(begun.getTime() + ttlMs)
    await expect(actorOfSession(world.deps, secret)).rejects.toMatchObject({ code: 'token-expired' })
  })

  test('replaces the session the browser had', async () => {
    const first = await login(from('192.0.2.1'), { username: 'Ada', password })
    const second = await login(from('192.0.2.1'), { username: 'Ada', password }, first)
    expect(second).not.toBe(first)
    await expect(actorOfSession(world.deps, first)).rejects.toMatchObject(wrong)
  })

  test('answers alike for a wrong password, an unknown user and a disabled one', async () => {
    const off = await givenUser(world, 'off', { passwordHash })
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ disabled: true }).where(eq(t.users.id, off.id))
    })
    const answers = await Promise.all(
      [
        { username: 'Ada', password: 'wrong' },
        { username: 'nobody', password },
        { username: 'nobody@example.org', password },
        { username: 'off', password },
      ].map((credentials) => login(from('192.0.2.1'), credentials).catch((error: unknown) => error)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject(wrong)
  })

  describe('after too many failures', () => {
    const guess = (username: string, ip: string) => login(from(ip), { username, password: 'guess' })
    const fail = async (username: string, ip: string, times: number) => {
      for (let i = 0; i < times; i++) await expect(guess(username, ip)).rejects.toMatchObject(wrong)
    }

    test('is refused even with the right password at that address, and is written into the audit', async () => {
      await givenUser(world, 'target', { passwordHash })
      await fail('target', '192.0.2.9', 10)
      await expect(login(from('192.0.2.9'), { username: 'target', password })).rejects.toMatchObject({
        code: 'throttled',
        retryAfterS: 15 * 60,
      })
      await expect(login(from('198.51.100.1'), { username: 'target', password })).resolves.toBeTruthy()
      const { q, t } = world.db
      const isFailure = and(eq(t.audit.target_name, 'target'), eq(t.audit.action, 'login.fail'))
      expect(await q.$count(t.audit, isFailure)).toBe(10)
    })

    test('from many addresses is refused at others the user has never signed in from, and no other', async () => {
      const user = await givenUser(world, 'botnet', { passwordHash })
      const credentials = { username: 'botnet', password }
      await login(from('203.0.113.1'), credentials)
      await login(from('2001:db8:7::1'), credentials)
      const keys = [nameKey('botnet')]
      for (let i = 0; i < 90; i++) await world.db.write((tx) => countFailure(tx, keys, world.clock.now))
      await fail('botnet', '192.0.2.31', 9)
      await fail('botnet', '203.0.113.1', 9)
      await fail('botnet', '192.0.2.32', 1)
      for (const ip of ['192.0.2.33', '2001:db8:8::1'])
        await expect(login(from(ip), credentials)).rejects.toMatchObject({ code: 'throttled' })
      for (const ip of ['203.0.113.1', '2001:db8:7::99'])
        await expect(login(from(ip), credentials)).resolves.toBeTruthy()
      const kept = await world.db.q
        .select()
        .from(world.db.t.known_networks)
        .where(eq(world.db.t.known_networks.user_id, user.id))
      expect(kept.map(({ network }) => network).toSorted()).toEqual(['2001:db8:7:0::/64', '203.0.113.1'])
    })
  })

  test('keeps the ten networks that were signed in from last', async () => {
    const user = await givenUser(world, 'nomad')
    for (let i = 0; i < 12; i++) {
      world.clock.now = new Date(world.clock.now.getTime() + 1000)
      await world.db.write((tx) => rememberNetwork(tx, user.id, `192.0.2.${i}`, world.clock.now))
    }
    const { known_networks: known } = world.db.t
    const kept = await world.db.q.select().from(known).where(eq(known.user_id, user.id))
    expect(kept.map(({ network }) => Number(network.split('.')[3])).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ])
  })

  test('guesses made at the same moment learn no more than the limit allows', async () => {
    await givenUser(world, 'racing', { passwordHash })
    const guesses = Array.from({ length: 14 }, () =>
      login(from('192.0.2.10'), { username: 'racing', password: 'guess' }),
    )
    const codes = (await Promise.allSettled(guesses)).map((outcome) =>
      outcome.status === 'fulfilled' ? 'in' : (outcome.reason as { code: string }).code,
    )
    expect(codes.toSorted()).toEqual([
      ...Array<string>(10).fill('bad-credentials'),
      ...Array<string>(4).fill('throttled'),
    ])
  })

  test('renews a hash that was made at a lower cost', async () => {
    const cheap = await new Argon2id({ memorySize: 8192, iterations: 1, parallelism: 1 }).hash(password)
    await givenUser(world, 'early', { passwordHash: cheap })
    await login(from('192.0.2.1'), { username: 'early', password })
    const user = await findUser(world.db, 'early')
    expect(user?.password_hash).toMatch(/m=19456,t=2,p=1/)
    await expect(login(from('192.0.2.1'), { username: 'early', password })).resolves.toBeTruthy()
  })

  test('by a pending email address fails', async () => {
    await givenUser(world, 'waiting', { passwordHash })
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ pending_email: 'waiting@example.org' })
    })
    await expect(
      login(from('192.0.2.1'), { username: 'waiting@example.org', password }),
    ).rejects.toMatchObject(wrong)
  })

  test('with local_login off is for the bootstrap admin alone', async () => {
    await givenUser(world, 'service-admin', { passwordHash })
    const { config } = world.deps
    const closed = {
      ...from('192.0.2.1'),
      config: { ...config, security: { ...config.security, local_login: false } },
    }
    await expect(login(closed, { username: 'Ada', password })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(login(closed, { username: 'service-admin', password })).resolves.toBeTruthy()
  })
})
