import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requireInstanceAdmin, type UserActor } from '../../../core/access/index.ts'
import { deleteOrg } from '../../namespaces/delete-org.ts'
import { createOrg } from '../../namespaces/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../../testing.ts'
import { checkPasswordPolicy, hashPassword } from '../passwords.ts'
import { createToken } from '../create-token.ts'
import { decideDevice } from '../decide-device.ts'
import { makeResetLink } from '../links/make-link.ts'
import { Authenticator } from '../passkeys/testing.ts'
import { addPasskey, passkeyOptions } from '../passkeys/register.ts'
import { actorOfSession, actorOfSigner, actorOfToken, signerOf } from '../principals.ts'
import { redeemDevice } from '../redeem-device.ts'
import { requestDevice } from '../request-device.ts'
import { listSessions } from '../sessions.ts'
import { policyEffect } from './effect.ts'
import { listInstanceTokens } from './list-tokens.ts'
import { noPolicies } from './policies.ts'
import { getPolicies, resetPolicies, updatePolicies } from './update-policies.ts'

const minute = 60_000
const day = 24 * 60 * minute

eachDatabase('policies', (world) => {
  let ada: UserActor & { secret: string }
  let passwordHash = ''
  beforeAll(async () => {
    passwordHash = await hashPassword('quiet-otter-lamp-42')
    ada = await givenUser(world, 'ada')
  })
  afterEach(() => resetPolicies(world.ctx()))

  let made = 0
  /** An admin who has just signed in. */
  const admin = () => givenUser(world, `admin-${++made}`, { isAdmin: true, passwordHash })
  const set = async (change: Parameters<typeof updatePolicies>[1]) =>
    updatePolicies(world.ctx(await admin()), change)
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const inDays = (days: number) => new Date(world.clock.now.getTime() + days * day)
  const plain = () => ({ name: `t-${++made}`, scopes: ['write' as const], fence: null, expiresAt: null })

  test('are for admins, keep what is left out, and are audited', async () => {
    await expect(getPolicies(world.ctx(ada))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(updatePolicies(world.ctx(ada), {})).rejects.toMatchObject({ code: 'forbidden' })
    await set({ token_max_days: 30 })
    expect(await set({ session_idle_minutes: 30 })).toEqual({
      ...noPolicies,
      token_max_days: 30,
      session_idle_minutes: 30,
    })
    expect(await set({ token_max_days: null })).toMatchObject({
      token_max_days: null,
      session_idle_minutes: 30,
    })
    const { q, t } = world.db
    const rows = await q.select().from(t.audit).where(eq(t.audit.action, 'policies.update'))
    expect(rows.map(({ after }) => after)).toContainEqual(expect.objectContaining({ token_max_days: 30 }))
  })

  describe('of tokens', () => {
    test('bind those that are made by sessions, by tokens and by device logins', async () => {
      const endless = await givenToken(world, ada)
      await set({ token_max_days: 30, token_require_expiry: true })
      const fault = (code: string) => ({ code: 'validation-failed', errors: [{ field: 'expires_at', code }] })
      for (const actor of [ada, endless.actor]) {
        const make = (expiresAt: Date | null) => createToken(world.ctx(actor), { ...plain(), expiresAt })
        await expect(make(null)).rejects.toMatchObject(fault('required'))
        await expect(make(inDays(31))).rejects.toMatchObject(fault('too-late'))
        expect((await make(inDays(30))).token.expires_at).toEqual(inDays(30))
      }
      const { deviceCode, login } = await requestDevice(world.ctx({ kind: 'anonymous' }))
      await decideDevice(world.ctx(ada), login.user_code, 'approve')
      expect(await redeemDevice(world.ctx({ kind: 'anonymous' }), deviceCode)).toMatchObject({
        token: { expires_at: inDays(30) },
      })
      expect(await actorOfToken(world.deps, endless.secret)).toMatchObject({ id: ada.id })
    })

    test('want an end where any will do; devices get one of 90 days', async () => {
      await set({ token_require_expiry: true })
      await expect(createToken(world.ctx(ada), plain())).rejects.toMatchObject({ code: 'validation-failed' })
      await createToken(world.ctx(ada), { ...plain(), expiresAt: inDays(3000) })
      const { deviceCode, login } = await requestDevice(world.ctx({ kind: 'anonymous' }))
      await decideDevice(world.ctx(ada), login.user_code, 'approve')
      expect(await redeemDevice(world.ctx({ kind: 'anonymous' }), deviceCode)).toMatchObject({
        token: { expires_at: inDays(90) },
      })
    })

    test('list and count what is beyond them', async () => {
      const root = await admin()
      const owner = await givenUser(world, 'owner')
      const endless = await givenToken(world, owner, { name: 'endless' })
      await givenToken(world, owner, { name: 'long', expiresAt: inDays(31) })
      await givenToken(world, owner, { name: 'short', expiresAt: inDays(29) })
      const list = async (beyond?: boolean) => {
        const { items } = await listInstanceTokens(world.ctx(root), { beyond }, { limit: 500 })
        return items
          .filter(({ username }) => username === 'owner')
          .map((each) => [each.token.name, each.isBeyond])
      }
      const effect = (token_max_days: number | null, token_require_expiry = false) =>
        policyEffect(world.ctx(root), { token_max_days, token_require_expiry, session_idle_minutes: null })
      const none = await effect(null)
      expect(none.tokensBeyond).toBe(0)
      const endlessOnes = (await effect(null, true)).tokensBeyond
      expect((await effect(30)).tokensBeyond).toBeGreaterThan(endlessOnes)
      await set({ token_max_days: 30 })
      expect(await list()).toEqual([
        ['short', false],
        ['long', true],
        ['endless', true],
      ])
      expect(await list(true)).toEqual([
        ['long', true],
        ['endless', true],
      ])
      expect(await list(false)).toEqual([['short', false]])
      expect(await actorOfToken(world.deps, endless.secret)).toMatchObject({ id: owner.id })
    })
  })

  test('of passwords raise the score, and never lower it', async () => {
    const check = () =>
      checkPasswordPolicy(world.db, { field: 'password', password: 'marble-kettle', username: 'eve' })
    const before = await check().then(
      () => 'accepted',
      () => 'refused',
    )
    expect(before).toBe('accepted')
    await set({ password_min_score: 4 })
    await expect(check()).rejects.toMatchObject({ code: 'weak-password', errors: [{ field: 'password' }] })
  })

  describe('of idle sessions', () => {
    const idle = { code: 'session-idle', status: 401, detail: 'Signed out after 30 minutes without use.' }

    test('end one that is unused for longer, for all that was made in its name too', async () => {
      const user = await givenUser(world, 'idles')
      await set({ session_idle_minutes: 30 })
      later(30 * minute + 59_999)
      expect(await actorOfSession(world.deps, user.secret, false)).toMatchObject({ id: user.id })
      later(1)
      await expect(actorOfSession(world.deps, user.secret)).rejects.toMatchObject(idle)
      await expect(actorOfSigner(world.deps, signerOf(user))).rejects.toMatchObject(idle)
      expect((await listSessions(world.ctx(user), { limit: 10 })).items).toEqual([])
      await resetPolicies(world.ctx())
    })

    test('one in use goes on, and what a page asks by itself is no use', async () => {
      const [busy, open] = [await givenUser(world, 'busy'), await givenUser(world, 'open')]
      await set({ session_idle_minutes: 30 })
      for (let i = 0; i < 4; i++) {
        later(10 * minute)
        expect(await actorOfSession(world.deps, busy.secret)).toMatchObject({ id: busy.id })
        await actorOfSession(world.deps, open.secret, false).catch(() => undefined)
        const { q, t } = world.db
        const isTouched = async () =>
          (await q.select().from(t.sessions).where(eq(t.sessions.user_id, busy.id)))[0]?.last_seen_at
        // The use is written off the path of the request.
        await expect.poll(isTouched).toEqual(world.clock.now)
      }
      await expect(actorOfSession(world.deps, open.secret)).rejects.toMatchObject(idle)
    })

    test('what has ended does not come back when the time is lengthened', async () => {
      const user = await givenUser(world, 'gone')
      await set({ session_idle_minutes: 30 })
      later(40 * minute)
      const root = await admin()
      const effect = { token_max_days: null, token_require_expiry: false, session_idle_minutes: 30 }
      expect((await policyEffect(world.ctx(root), effect)).sessionsEnding).toBeGreaterThan(0)
      await set({ session_idle_minutes: 600 })
      await expect(actorOfSession(world.deps, user.secret)).rejects.toMatchObject({ code: 'bad-credentials' })
    })
  })

  describe('of a second factor for admins', () => {
    const lacking = { code: 'second-factor-required', status: 403 }
    const add = async (user: UserActor) => {
      const { origin } = new URL(world.deps.config.server.public_url)
      const options = await passkeyOptions(world.ctx(user))
      await addPasskey(world.ctx(user), 'Key', new Authenticator(origin).register(options))
    }

    test('are set by one who has it, and hold for sessions and tokens at once', async () => {
      const [root, other] = [await admin(), await admin()]
      const token = await givenToken(world, other, { scopes: ['admin'] })
      const demand = () => updatePolicies(world.ctx(root), { admin_second_factor: true })
      await expect(demand()).rejects.toMatchObject({ code: 'state-conflict' })
      await add(root)
      await demand()
      const now = async (secret: string) => requireInstanceAdmin(await actorOfSession(world.deps, secret))
      expect(await now(root.secret)).toMatchObject({ isAdmin: true })
      await expect(now(other.secret)).rejects.toMatchObject(lacking)
      expect(await actorOfSession(world.deps, other.secret)).toMatchObject({ isAdmin: false })
      expect(() => requireInstanceAdmin(token.actor)).not.toThrow()
      const byToken = await actorOfToken(world.deps, token.secret)
      expect(() => requireInstanceAdmin(byToken)).toThrow(expect.objectContaining(lacking) as Error)
      await add(other)
      expect(await now(other.secret)).toMatchObject({ isAdmin: true })
    })

    test('take a provider for the factor, and touch no one else', async () => {
      const [root, guest] = [await admin(), await givenUser(world, 'guest')]
      await add(root)
      await updatePolicies(world.ctx(root), { admin_second_factor: true })
      const external = await admin()
      await world.db.write(({ q, t }) =>
        q.update(t.sessions).set({ identity_id: 'i' }).where(eq(t.sessions.user_id, external.id)),
      )
      expect(await actorOfSession(world.deps, external.secret)).toMatchObject({ isAdmin: true })
      expect(await actorOfSession(world.deps, guest.secret)).not.toHaveProperty('lacksSecondFactor')
    })

    test('are refused where no admin could have one', async () => {
      const root = await admin()
      const ctx = world.ctx(root)
      const config = { ...ctx.config, server: { ...ctx.config.server, public_url: 'http://192.0.2.1' } }
      await expect(updatePolicies({ ...ctx, config }, { admin_second_factor: true })).rejects.toMatchObject({
        code: 'validation-failed',
        errors: [{ field: 'admin_second_factor' }],
      })
    })
  })

  test('and other grave changes need a fresh sign-in of a session; tokens go by their scopes', async () => {
    const root = await admin()
    const token = await givenToken(world, root, { scopes: ['write', 'admin'] })
    await createOrg(world.ctx(root), { ns: 'acme' })
    later(10 * minute + 1)
    const stale = { code: 'fresh-sign-in-required', status: 403 }
    await expect(updatePolicies(world.ctx(root), {})).rejects.toMatchObject(stale)
    await expect(deleteOrg(world.ctx(root), 'acme')).rejects.toMatchObject(stale)
    await expect(makeResetLink(world.ctx(root), ada.id)).rejects.toMatchObject(stale)
    const ofAdmin = { ...plain(), scopes: ['admin' as const] }
    await expect(createToken(world.ctx(root), ofAdmin)).rejects.toMatchObject(stale)
    await createToken(world.ctx(root), plain())
    await updatePolicies(world.ctx(token.actor), {})
    await deleteOrg(world.ctx(token.actor), 'acme')
    await expect(deleteOrg(world.ctx(ada), 'acme')).rejects.toMatchObject({ code: 'not-found' })
  })
})
