import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { before, eachDatabase, givenToken, givenUser, hold } from '../../testing.ts'
import { decideDevice, getDeviceRequest } from './decide-device.ts'
import { actorOfToken } from './principals.ts'
import { redeemDevice } from './redeem-device.ts'
import { requestDevice } from './request-device.ts'
import { countFailure, ipKey, nameKey, pairKey } from './throttle.ts'
import { revokeToken } from './tokens.ts'

eachDatabase('device login', (world) => {
  let ada: UserActor
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
  })
  let n = 0
  /** A device at an address of its own. */
  const device = () => {
    const ctx = world.ctx({ kind: 'anonymous' })
    return {
      ...ctx,
      origin: { ...ctx.origin, ip: `192.0.2.${n++}`, userAgent: 'unknown/None; hf_hub/2.2.0; python/3.12' },
    }
  }
  const later = (seconds: number) => (world.clock.now = new Date(world.clock.now.getTime() + seconds * 1000))
  const poll = (deviceCode: string) => redeemDevice(world.ctx({ kind: 'anonymous' }), deviceCode)

  test('approved, the next poll makes one token of scope write, named after the device, and no poll another', async () => {
    const { deviceCode, login } = await requestDevice(device())
    expect(login.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(await poll(deviceCode)).toBe('authorization_pending')
    const shown = await getDeviceRequest(world.ctx(ada), login.user_code)
    expect(shown).toMatchObject({ client_name: 'hf 2.2.0', ip: login.ip })
    await decideDevice(world.ctx(ada), login.user_code.toLowerCase().replace('-', ''), 'approve')
    const made = await poll(deviceCode)
    if (typeof made === 'string') throw new Error(made)
    expect(made.token).toMatchObject({ scopes: ['write'], expires_at: null, fence: null })
    expect(made.token.name).toMatch(/^hf-2\.2\.0-[a-z0-9]{6}$/)
    expect(await actorOfToken(world.deps, made.secret)).toMatchObject({ username: 'ada' })
    expect(await poll(deviceCode)).toBe('invalid_grant')
  })

  test('polled many times at once, one code yields one token', async () => {
    const { deviceCode, login } = await requestDevice(device())
    await decideDevice(world.ctx(ada), login.user_code, 'approve')
    const { q, t } = world.db
    const before = await q.$count(t.tokens)
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(deviceCode)))
    expect(answers.filter((answer) => typeof answer !== 'string').length).toBe(1)
    expect(await q.$count(t.tokens)).toBe(before + 1)
  })

  test.each([
    ['approve', 'deny', 'access_denied'],
    ['deny', 'approve', 'a token'],
  ] as const)(
    'decided twice at once, the one decision holds that comes first',
    async (late, first, answer) => {
      const { deviceCode, login } = await requestDevice(device())
      const held = await hold(world.ctx(ada), before('write'), (ctx) =>
        decideDevice(ctx, login.user_code, late),
      )
      await decideDevice(world.ctx(ada), login.user_code, first)
      await expect(held.resume()).rejects.toMatchObject({ code: 'not-found' })
      const polled = await poll(deviceCode)
      expect(typeof polled === 'string' ? polled : 'a token').toBe(answer)
    },
  )

  test('denied is denied for ever', async () => {
    const { deviceCode, login } = await requestDevice(device())
    await decideDevice(world.ctx(ada), login.user_code, 'deny')
    expect(await poll(deviceCode)).toBe('access_denied')
    await expect(decideDevice(world.ctx(ada), login.user_code, 'approve')).rejects.toMatchObject({
      code: 'not-found',
    })
    later(20 * 60)
    expect(await poll(deviceCode)).toBe('access_denied')
  })

  test('expires after fifteen minutes, for users and for the device', async () => {
    const { deviceCode, login } = await requestDevice(device())
    later(15 * 60 - 1)
    await expect(getDeviceRequest(world.ctx(ada), login.user_code)).resolves.toBeTruthy()
    later(1)
    await expect(getDeviceRequest(world.ctx(ada), login.user_code)).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await poll(deviceCode)).toBe('expired_token')
  })

  test('approved but never fetched, it expires all the same', async () => {
    const { deviceCode, login } = await requestDevice(device())
    await decideDevice(world.ctx(ada), login.user_code, 'approve')
    later(15 * 60)
    expect(await poll(deviceCode)).toBe('expired_token')
  })

  test('polls before the interval has passed lengthen it by five seconds', async () => {
    const { deviceCode } = await requestDevice(device())
    expect(await poll(deviceCode)).toBe('authorization_pending')
    later(4)
    expect(await poll(deviceCode)).toBe('slow_down')
    later(6)
    expect(await poll(deviceCode)).toBe('slow_down')
    later(15)
    expect(await poll(deviceCode)).toBe('authorization_pending')
  })

  test('an unknown device code is no grant', async () => {
    expect(await poll('nothing')).toBe('invalid_grant')
  })

  test('the token of a user disabled meanwhile is never made', async () => {
    const user = await givenUser(world, 'fired')
    const { deviceCode, login } = await requestDevice(device())
    await decideDevice(world.ctx(user), login.user_code, 'approve')
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ disabled: true }).where(eq(t.users.id, user.id))
    })
    expect(await poll(deviceCode)).toBe('access_denied')
  })

  test('approved by token, the device’s ends when that one does', async () => {
    const expiresAt = new Date(world.clock.now.getTime() + 86_400_000)
    const { actor } = await givenToken(world, ada, { expiresAt })
    const { deviceCode, login } = await requestDevice(device())
    await decideDevice(world.ctx(actor), login.user_code, 'approve')
    expect(await poll(deviceCode)).toMatchObject({ token: { expires_at: expiresAt } })
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
  ])('%s cannot approve', async (_, actorOf, code) => {
    const { login } = await requestDevice(device())
    await expect(decideDevice(world.ctx(await actorOf()), login.user_code, 'approve')).rejects.toMatchObject({
      code,
    })
  })

  test('guessing user codes is throttled, the right one too', async () => {
    const guesser = await givenUser(world, 'guesser')
    const { login } = await requestDevice(device())
    const at = (code: string) => {
      const ctx = world.ctx(guesser)
      return { ctx: { ...ctx, origin: { ...ctx.origin, ip: '198.51.100.7' } }, code }
    }
    for (let i = 0; i < 5; i++) {
      const { ctx, code } = at(`BBBB-BBB${'BCDFG'[i] ?? ''}`)
      await expect(getDeviceRequest(ctx, code)).rejects.toMatchObject({ code: 'not-found' })
      await expect(decideDevice(ctx, code, 'approve')).rejects.toMatchObject({ code: 'not-found' })
    }
    const { ctx, code } = at(login.user_code)
    await expect(decideDevice(ctx, code, 'approve')).rejects.toMatchObject({ code: 'throttled' })
  })

  test('approved by a token that is revoked since, it yields none', async () => {
    const { actor } = await givenToken(world, ada)
    const id = actor.auth.kind === 'token' ? actor.auth.tokenId : ''
    const waiting = await requestDevice(device())
    await decideDevice(world.ctx(actor), waiting.login.user_code, 'approve')
    await revokeToken(world.ctx(ada), id)
    expect(await poll(waiting.deviceCode)).toBe('access_denied')
    const late = await requestDevice(device())
    await decideDevice(world.ctx(actor), late.login.user_code, 'approve')
    expect(await poll(late.deviceCode)).toBe('access_denied')
  })

  test('what a stranger fails does not keep others from approving', async () => {
    const user = await givenUser(world, 'approver')
    const ctx = world.ctx(user)
    const keys = [pairKey('approver', ctx.origin.ip), ipKey(ctx.origin.ip), nameKey('approver')]
    for (let i = 0; i < 100; i++) await world.db.write((tx) => countFailure(tx, keys, world.clock.now))
    const { login } = await requestDevice(device())
    await expect(decideDevice(ctx, login.user_code, 'approve')).resolves.toBeUndefined()
  })

  describe('one network', () => {
    test('cannot fill the table, and its neighbours wait on', async () => {
      const other = await requestDevice(device())
      const ctx = device()
      const one = { ...ctx, origin: { ...ctx.origin, ip: '2001:db8:1:1::1' } }
      const next = { ...ctx, origin: { ...ctx.origin, ip: '2001:db8:1:1::2' } }
      const early = await requestDevice(one)
      for (let i = 0; i < 60; i++) await requestDevice(i % 2 ? one : next)
      const { device_logins: logins } = world.db.t
      expect(await world.db.q.$count(logins, eq(logins.network, '2001:db8:1:1::/64'))).toBe(50)
      expect(await poll(early.deviceCode)).toBe('invalid_grant')
      expect(await poll(other.deviceCode)).toBe('authorization_pending')
    })

    test('does not lose a device that polls to those that are left behind', async () => {
      const one = device()
      const piled = await requestDevice(one)
      for (let i = 0; i < 48; i++) await requestDevice(one)
      later(60)
      const waiting = await requestDevice(one)
      for (let i = 0; i < 5; i++) {
        later(5)
        expect(await poll(waiting.deviceCode)).toBe('authorization_pending')
        for (let n = 0; n < 20; n++) await requestDevice(one)
      }
      await decideDevice(world.ctx(ada), waiting.login.user_code, 'approve')
      expect(await poll(waiting.deviceCode)).toMatchObject({ token: { user_id: ada.id } })
      expect(await poll(piled.deviceCode)).toBe('invalid_grant')
    })
  })
})
