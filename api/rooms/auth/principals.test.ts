import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Deps } from '../../core/ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import { dbWith, eachDatabase, givenOrg, givenToken, givenUser } from '../../testing.ts'
import { actorOfBasic, actorOfSession, actorOfToken } from './principals.ts'

/** The same database, counting the reads begun. */
function counted(db: Db): { db: Db; reads: () => number } {
  let reads = 0
  const q = new Proxy(db.q, {
    get(target, name, receiver) {
      if (name === 'select' || name === '$count') reads++
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  return { db: dbWith(db, { q }), reads: () => reads }
}

eachDatabase('who a secret stands for', (world) => {
  const wrong = { code: 'bad-credentials' }
  const origin = () => ({ ...world.ctx().origin, ip: '192.0.2.1' })

  test('its user with the roles they have now', async () => {
    const [ada, bob] = [await givenUser(world, 'ada'), await givenUser(world, 'bob')]
    const { secret } = await givenToken(world, ada, { scopes: ['read'] })
    const org = await givenOrg(world, 'acme', bob, [[ada, 'write']])
    expect(await actorOfToken(world.deps, secret)).toMatchObject({
      username: 'ada',
      auth: { kind: 'token', scopes: ['read'] },
      roles: new Map([
        [ada.id, 'admin'],
        [org.id, 'write'],
      ]),
    })
    await world.db.write(async ({ q, t }) => {
      await q.delete(t.members).where(eq(t.members.user_id, ada.id))
    })
    expect(await actorOfToken(world.deps, secret)).toMatchObject({ roles: new Map([[ada.id, 'admin']]) })
  })

  test('no user once the user is disabled or the token deleted', async () => {
    const eve = await givenUser(world, 'eve')
    const { secret, actor } = await givenToken(world, eve)
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ disabled: true }).where(eq(t.users.id, eve.id))
    })
    await expect(actorOfToken(world.deps, secret)).rejects.toMatchObject(wrong)
    await expect(actorOfSession(world.deps, eve.secret)).rejects.toMatchObject(wrong)
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ disabled: false }).where(eq(t.users.id, eve.id))
    })
    await expect(actorOfToken(world.deps, secret)).resolves.toMatchObject({ username: 'eve' })
    await world.db.write(async ({ q, t }) => {
      if (actor.auth.kind === 'token') await q.delete(t.tokens).where(eq(t.tokens.id, actor.auth.tokenId))
    })
    await expect(actorOfToken(world.deps, secret)).rejects.toMatchObject(wrong)
  })

  test('a token is no session and a session no token', async () => {
    const user = await givenUser(world, 'mixed')
    const { secret } = await givenToken(world, user)
    await expect(actorOfSession(world.deps, secret)).rejects.toMatchObject(wrong)
    await expect(actorOfToken(world.deps, user.secret)).rejects.toMatchObject(wrong)
  })

  test('no user after it expires, to the millisecond', async () => {
    const user = await givenUser(world, 'mayfly')
    const expiresAt = new Date(world.clock.now.getTime() + 1000)
    const { secret } = await givenToken(world, user, { expiresAt })
    world.clock.now = new Date(expiresAt.getTime() - 1)
    await expect(actorOfToken(world.deps, secret)).resolves.toMatchObject({ username: 'mayfly' })
    world.clock.now = expiresAt
    await expect(actorOfToken(world.deps, secret)).rejects.toMatchObject({
      code: 'token-expired',
      status: 401,
    })
  })

  test('is known without a query once looked up on SQLite, and by one on Postgres', async () => {
    const user = await givenUser(world, 'hot')
    const { secret } = await givenToken(world, user)
    const { db, reads } = counted(world.db)
    const deps: Deps = { ...world.deps, db }
    await actorOfToken(deps, secret)
    const readsOfSecondLookup = async () => {
      await actorOfToken(deps, secret)
      const before = reads()
      await actorOfToken(deps, secret)
      return reads() - before
    }
    await expect.poll(readsOfSecondLookup).toBe(db.engine === 'sqlite' ? 0 : 1)
  })

  test('its use is written down at most once a minute', async () => {
    const user = await givenUser(world, 'busy')
    const { secret, actor } = await givenToken(world, user)
    const id = actor.auth.kind === 'token' ? actor.auth.tokenId : ''
    const { q, t } = world.db
    const usedAt = async () => {
      const [row] = await q.select({ at: t.tokens.last_used_at }).from(t.tokens).where(eq(t.tokens.id, id))
      return row?.at
    }
    const first = world.clock.now
    await expect.poll(usedAt).toEqual(first)
    world.clock.now = new Date(first.getTime() + 59_999)
    await actorOfToken(world.deps, secret)
    await world.db.write(async () => undefined)
    expect(await usedAt()).toEqual(first)
    world.clock.now = new Date(first.getTime() + 60_000)
    await actorOfToken(world.deps, secret)
    const second = world.clock.now
    await expect.poll(usedAt).toEqual(second)
  })

  test('the use of a session is written down at most once a minute', async () => {
    const cleo = await givenUser(world, 'cleo')
    const seen = async () => {
      const { q, t } = world.db
      const rows = await q
        .select({ at: t.sessions.last_seen_at })
        .from(t.sessions)
        .where(eq(t.sessions.user_id, cleo.id))
      return rows.map(({ at }) => at)
    }
    const first = world.clock.now
    const use = async (afterMs: number) => {
      world.clock.now = new Date(world.clock.now.getTime() + afterMs)
      await actorOfSession(world.deps, cleo.secret)
    }
    expect(await seen()).toEqual([first])
    await use(59_999)
    // A write of ours comes after one that the look has begun.
    await world.db.write(async () => undefined)
    expect(await seen()).toEqual([first])
    await use(1)
    await expect.poll(seen).toEqual([world.clock.now])
  })

  test('git sends a token as the password, under any name', async () => {
    const user = await givenUser(world, 'gitter')
    const { secret } = await givenToken(world, user)
    for (const name of ['gitter', 'x-access-token', ''])
      await expect(actorOfBasic(world.deps, origin(), name, secret)).resolves.toMatchObject({
        username: 'gitter',
      })
  })

  describe('wrong passwords from git', () => {
    const at = (ip: string) => ({ ...origin(), ip })
    const fail = async (name: string, ip: string, times: number) => {
      for (let i = 0; i < times; i++)
        await expect(actorOfBasic(world.deps, at(ip), name, `hf_asl_${i}`)).rejects.toMatchObject(wrong)
    }
    const isThrottled = (name: string, ip: string) =>
      expect(actorOfBasic(world.deps, at(ip), name, 'hf_asl_x')).rejects.toMatchObject({ code: 'throttled' })

    test('are throttled by name and address, and a token that holds works all the same', async () => {
      const user = await givenUser(world, 'locked')
      const { secret } = await givenToken(world, user)
      await fail('LOCKED', '192.0.2.2', 10)
      await isThrottled('locked', '192.0.2.2')
      for (const ip of ['192.0.2.2', '192.0.2.3'])
        await expect(actorOfBasic(world.deps, at(ip), 'locked', secret)).resolves.toMatchObject({
          username: 'locked',
        })
      await expect(actorOfToken(world.deps, secret)).resolves.toBeTruthy()
    })

    test('lock the address after fifty, for every name, but no token', async () => {
      for (let i = 0; i < 5; i++) await fail(`name-${i}`, '192.0.2.4', 10)
      await isThrottled('another', '192.0.2.4')
      const { secret } = await givenToken(world, await givenUser(world, 'colleague'))
      await expect(actorOfBasic(world.deps, at('192.0.2.4'), 'colleague', secret)).resolves.toBeTruthy()
    })

    test('are counted no less when a token of theirs works between them', async () => {
      const { secret } = await givenToken(world, await givenUser(world, 'between'))
      await fail('between', '192.0.2.5', 9)
      await actorOfBasic(world.deps, at('192.0.2.5'), 'between', secret)
      await fail('between', '192.0.2.5', 1)
      await isThrottled('between', '192.0.2.5')
    })
  })
})
