import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import type { UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { after, before, eachDatabase, givenToken, givenUser, hold, untilBlocked } from '../../testing.ts'
import { changePassword } from './change-password.ts'
import { createToken } from './create-token.ts'
import { disableUser } from './disable-user.ts'
import { login } from './login.ts'
import { hashPassword } from './passwords.ts'
import { resetPassword } from './reset-password.ts'
import { countFailure, ipKey } from './throttle.ts'
import { listTokens, revokeToken } from './tokens.ts'

const old = 'quiet-otter-lamp-42'
const fresh = 'brisk-heron-vault-17'

eachDatabase('who signs in between two looks', (world) => {
  let passwordHash = ''
  let made = 0
  beforeAll(async () => {
    passwordHash = await hashPassword(old)
  })
  const given = () => givenUser(world, `user${++made}`, { passwordHash })
  const signIn =
    ({ username }: UserActor, password = old) =>
    (ctx: Ctx) =>
      login(ctx, { username, password })
  const change =
    (next = fresh) =>
    (ctx: Ctx) =>
      changePassword(ctx, { current_password: old, new_password: next })
  const anybody = () => world.ctx({ kind: 'anonymous' })
  const sessionsOf = ({ id }: UserActor) => {
    const { sessions } = world.db.t
    return world.db.q.$count(sessions, eq(sessions.user_id, id))
  }

  describe('while the password is checked', () => {
    const ends: [string, (user: UserActor) => Promise<unknown>][] = [
      ['it is changed', (user) => change()(world.ctx(user))],
      ['it is reset', (user) => resetPassword(world.ctx(), user.username, fresh)],
      ['they are disabled', (user) => disableUser(world.ctx(), user.username)],
    ]
    test.each(ends)('and %s, is not let in by the old one', async (_, end) => {
      const user = await given()
      const held = await hold(anybody(), before('write'), signIn(user))
      await end(user)
      const left = await sessionsOf(user)
      await expect(held.resume()).rejects.toMatchObject({ code: 'bad-credentials', status: 401 })
      expect(await sessionsOf(user)).toBe(left)
    })
  })

  test('has their session ended by a change that comes after', async () => {
    const user = await given()
    const held = await hold(world.ctx(user), before('write'), change())
    await signIn(user)(anybody())
    expect(await sessionsOf(user)).toBe(2)
    await held.resume()
    expect(await sessionsOf(user)).toBe(1)
  })

  test('with the right password gives no further guesses to others at that address', async () => {
    const user = await given()
    const from = () => ({ ...anybody(), origin: { ...anybody().origin, ip: `192.0.2.${made}` } })
    const keys = [ipKey(from().origin.ip)]
    for (let i = 0; i < 49; i++) await world.db.write((tx) => countFailure(tx, keys, world.clock.now))
    await expect(signIn(user)(from())).resolves.toBeTruthy()
    const last = login(from(), { username: 'stranger', password: 'guess' })
    await expect(last).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(signIn(user)(from())).rejects.toMatchObject({ code: 'throttled' })
  })

  test('changes a password once, of two who change it at once', async () => {
    const user = await given()
    const held = await hold(world.ctx(user), before('write'), change('sober-crane-plaza-88'))
    await change()(world.ctx(user))
    await expect(held.resume()).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(signIn(user, fresh)(anybody())).resolves.toBeTruthy()
  })

  describe('by a token that is revoked meanwhile', () => {
    async function givenTokens() {
      const user = await given()
      const { actor } = await givenToken(world, user)
      const id = actor.auth.kind === 'token' ? actor.auth.tokenId : ''
      const wanted = { name: 'late', scopes: ['read' as const], fence: null, expiresAt: null }
      return {
        user,
        create: (ctx = world.ctx(actor)) => createToken(ctx, wanted),
        creating: world.ctx(actor),
        revoke: (ctx = world.ctx(user)) => revokeToken(ctx, id),
        left: async () => (await listTokens(world.ctx(user), { limit: 10 })).items.length,
      }
    }

    test('makes no other', async () => {
      const { create, creating, revoke, left } = await givenTokens()
      const held = await hold(creating, before('write'), create)
      await revoke()
      await expect(held.resume()).rejects.toMatchObject({ code: 'bad-credentials' })
      expect(await left()).toBe(0)
    })

    test('loses what it has just made', async () => {
      const { user, create, revoke, left } = await givenTokens()
      const held = await hold(world.ctx(user), before('write'), revoke)
      await create()
      await held.resume()
      expect(await left()).toBe(0)
    })

    if (world.engine === 'postgres')
      test('neither passes the other by in their transactions', async () => {
        const first = await givenTokens()
        const creating = await hold(first.creating, after(/from "tokens"/), first.create)
        const revoked = first.revoke()
        await untilBlocked(world.db, revoked)
        await creating.resume()
        await revoked
        const second = await givenTokens()
        const revoking = await hold(world.ctx(second.user), after(/from "tokens"/), second.revoke)
        const refused = expect(second.create()).rejects.toMatchObject({ code: 'bad-credentials' })
        await untilBlocked(world.db, refused)
        await revoking.resume()
        await refused
        for (const { left } of [first, second]) expect(await left()).toBe(0)
      })
  })
})
