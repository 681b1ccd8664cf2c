import { Argon2id } from 'oslo/password'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { findUser } from '../namespaces/index.ts'
import { eachDatabase, givenUser } from '../testing.ts'
import { login } from './login.ts'
import { hashPassword } from './passwords.ts'
import { actorOfSession } from './principals.ts'

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
    'by %s and the password begins a Session',
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

  test('replaces the Session the browser had', async () => {
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

  test('is refused even with the right password once the name is locked, and is written into the audit', async () => {
    await givenUser(world, 'target', { passwordHash })
    const guess = () => login(from('192.0.2.9'), { username: 'target', password: 'guess' })
    for (let i = 0; i < 10; i++) await expect(guess()).rejects.toMatchObject(wrong)
    await expect(login(from('198.51.100.1'), { username: 'target', password })).rejects.toMatchObject({
      code: 'throttled',
      retryAfterS: 15 * 60,
    })
    const { q, t } = world.db
    expect(await q.$count(t.audit, eq(t.audit.target_name, 'target'))).toBe(11)
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

  test('by a pending email address is by nobody', async () => {
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
