import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../core/ctx.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../../testing.ts'
import { confirmationOptions, confirmSession } from '../confirm.ts'
import { login } from '../login.ts'
import { hashPassword } from '../passwords.ts'
import { actorOfSession } from '../principals.ts'
import { resetPassword } from '../reset-password.ts'
import { finishLogin, type FactorAsked } from '../second-factor.ts'
import { checkAssertion, passkeySignInOptions, useAssertion } from './assertion.ts'
import { listPasskeys, removePasskey, renamePasskey, resetSecondFactor } from './manage.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { addPasskey, passkeyOptions } from './register.ts'
import { signInWithPasskey } from './sign-in.ts'
import { Authenticator } from './testing.ts'

const password = 'quiet-otter-lamp-42'
const minute = 60_000

eachDatabase('passkeys', (world) => {
  let passwordHash = ''
  beforeAll(async () => {
    passwordHash = await hashPassword(password)
  })

  const origin = () => new URL(world.deps.config.server.public_url).origin
  let lastIp = 0
  /** A caller from an address of their own, so that no test throttles another. */
  const stranger = (): Ctx => {
    const ctx = world.ctx({ kind: 'anonymous' })
    return { ...ctx, origin: { ...ctx.origin, ip: `198.51.100.${++lastIp}` } }
  }
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))

  async function added(username: string) {
    const user = await givenUser(world, username, { passwordHash })
    const device = new Authenticator(origin())
    const options = await passkeyOptions(world.ctx(user))
    const { passkey, recoveryCodes = [] } = await addPasskey(
      world.ctx(user),
      'Laptop',
      device.register(options),
    )
    return { user, device, passkey, recoveryCodes }
  }
  const ask = async (username: string): Promise<FactorAsked> => {
    const begun = await login(stranger(), { username, password })
    if (typeof begun === 'string') throw new Error('no second factor is asked for')
    return begun
  }
  const optionsOf = ({ passkey }: FactorAsked) => passkey ?? { challenge: '' }
  const whoIs = (secret: string) => actorOfSession(world.deps, secret)
  const refused = { code: 'bad-credentials', status: 401 }

  describe('adding one', () => {
    test('keeps its key, gives ten recovery codes with the first and none with the second', async () => {
      const { user, passkey, recoveryCodes } = await added('adds')
      expect(passkey).toMatchObject({ name: 'Laptop', last_used_at: null })
      expect(new Set(recoveryCodes).size).toBe(10)
      expect(recoveryCodes[0]).toMatch(/^[2-9a-z]{4}(-[2-9a-z]{4}){3}$/)
      const options = await passkeyOptions(world.ctx(user))
      expect(options).toMatchObject({
        rp: { id: 'localhost' },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: [{ id: passkey.credential_id }],
      })
      const second = await addPasskey(world.ctx(user), 'Key', new Authenticator(origin()).register(options))
      expect(second.recoveryCodes).toBeUndefined()
      expect((await listPasskeys(world.ctx(user))).map(({ name }) => name)).toEqual(['Laptop', 'Key'])
      const stored = JSON.stringify(await world.db.q.select().from(world.db.t.recovery_codes))
      for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''))
    })

    test('refuses what was made elsewhere, unverified, late, twice, for another user or with certificates', async () => {
      const user = await givenUser(world, 'refuses', { passwordHash })
      const other = await givenUser(world, 'other', { passwordHash })
      const attempt = async (behaviour: Parameters<Authenticator['register']>[1], by: UserActor = user) => {
        const options = await passkeyOptions(world.ctx(user))
        return addPasskey(world.ctx(by), 'x', new Authenticator(origin()).register(options, behaviour))
      }
      const fault = { code: 'validation-failed', errors: [{ field: 'credential' }] }
      await expect(attempt({ origin: 'https://evil.example' })).rejects.toMatchObject(fault)
      await expect(attempt({ rpId: 'evil.example' })).rejects.toMatchObject(fault)
      await expect(attempt({ isVerified: false })).rejects.toMatchObject(fault)
      await expect(attempt({ crossOrigin: true })).rejects.toMatchObject(fault)
      await expect(attempt({}, other)).rejects.toMatchObject(fault)
      const statement = new Map<string, unknown>([
        ['x5c', [new Uint8Array([1])]],
        ['alg', -7],
        ['sig', new Uint8Array([1])],
      ])
      await expect(attempt({ attestation: { fmt: 'packed', statement } })).rejects.toMatchObject(fault)
      await expect(attempt({ attestation: { fmt: 'apple', statement } })).rejects.toMatchObject(fault)
      const device = new Authenticator(origin())
      const made = device.register(await passkeyOptions(world.ctx(user)))
      await addPasskey(world.ctx(user), 'x', made)
      await expect(addPasskey(world.ctx(user), 'x', made)).rejects.toMatchObject(fault)
      const again = device.register(await passkeyOptions(world.ctx(user)))
      await expect(addPasskey(world.ctx(user), 'x', again)).rejects.toMatchObject({ code: 'already-exists' })
      const late = new Authenticator(origin()).register(await passkeyOptions(world.ctx(user)))
      later(5 * minute)
      await expect(addPasskey(world.ctx(user), 'x', late)).rejects.toMatchObject(fault)
      expect(await listPasskeys(world.ctx(user))).toHaveLength(1)
    })

    test('needs a session, a fresh one, and a local account', async () => {
      const user = await givenUser(world, 'needs', { passwordHash })
      const token = await givenToken(world, user)
      await expect(passkeyOptions(world.ctx(token.actor))).rejects.toMatchObject({ code: 'session-required' })
      const elsewhere = await givenUser(world, 'elsewhere')
      await expect(passkeyOptions(world.ctx(elsewhere))).rejects.toMatchObject({ code: 'no-local-password' })
      later(11 * minute)
      await expect(passkeyOptions(world.ctx(user))).rejects.toMatchObject({ code: 'fresh-sign-in-required' })
    })

    test('says why where browsers refuse: no https, or an IP address', async () => {
      const user = await givenUser(world, 'plain', { passwordHash })
      for (const public_url of [
        'http://hub.example.org',
        'https://192.0.2.1',
        'https://[2001:db8::1]:8443',
      ]) {
        const ctx = world.ctx(user)
        const config = { ...ctx.config, server: { ...ctx.config.server, public_url } }
        await expect(passkeyOptions({ ...ctx, config })).rejects.toMatchObject({
          code: 'state-conflict',
          detail: expect.stringMatching(/https|IP address/) as string,
        })
      }
    })
  })

  describe('signing in with one alone', () => {
    test('begins a session of its user', async () => {
      const { user, device } = await added('alone')
      const options = await passkeySignInOptions(stranger())
      expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
      expect(options['allowCredentials']).toBeUndefined()
      expect(await whoIs(await signInWithPasskey(stranger(), device.sign(options)))).toMatchObject({
        id: user.id,
      })
      expect((await listPasskeys(world.ctx(user)))[0]?.last_used_at).not.toBeNull()
    })

    test('answers each challenge once, also when two come at once, and for five minutes', async () => {
      const { device } = await added('once')
      const signed = device.sign(await passkeySignInOptions(stranger()))
      const both = await Promise.allSettled([
        signInWithPasskey(stranger(), signed),
        signInWithPasskey(stranger(), signed),
      ])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      await expect(signInWithPasskey(stranger(), signed)).rejects.toMatchObject(refused)
      const late = device.sign(await passkeySignInOptions(stranger()))
      later(5 * minute)
      await expect(signInWithPasskey(stranger(), late)).rejects.toMatchObject(refused)
    })

    test('refuses an unverified user, another origin, another user’s handle, another purpose and strangers’ keys', async () => {
      const { device, user } = await added('hostile')
      const attempt = async (behaviour: Parameters<Authenticator['sign']>[1], signer = device) =>
        signInWithPasskey(stranger(), signer.sign(await passkeySignInOptions(stranger()), behaviour))
      await expect(attempt({ isVerified: false })).rejects.toMatchObject(refused)
      await expect(attempt({ origin: 'https://evil.example' })).rejects.toMatchObject(refused)
      await expect(attempt({ rpId: 'evil.example' })).rejects.toMatchObject(refused)
      await expect(attempt({ crossOrigin: true })).rejects.toMatchObject(refused)
      await expect(attempt({}, new Authenticator(origin()))).rejects.toMatchObject(refused)
      const handle = device.userHandle
      device.userHandle = Buffer.from('somebody').toString('base64url')
      await expect(attempt({})).rejects.toMatchObject(refused)
      device.userHandle = handle
      const other = device.sign(await confirmationOptions(world.ctx(user)))
      await expect(signInWithPasskey(stranger(), other)).rejects.toMatchObject(refused)
      const forged = device.sign({ challenge: Buffer.from('v1.x.y').toString('base64url') })
      await expect(signInWithPasskey(stranger(), forged)).rejects.toMatchObject(refused)
      const garbage = { ...device.sign(await passkeySignInOptions(stranger())) }
      garbage.response = { ...garbage.response, clientDataJSON: 'e30', authenticatorData: '!', signature: '' }
      await expect(signInWithPasskey(stranger(), garbage)).rejects.toMatchObject(refused)
      await expect(attempt({})).resolves.toBeTypeOf('string')
    })

    test('refuses a count that does not rise: the passkey may have been copied', async () => {
      const { device } = await added('counted')
      const attempt = async (counter: number) =>
        signInWithPasskey(stranger(), device.sign(await passkeySignInOptions(stranger()), { counter }))
      await attempt(5)
      await expect(attempt(5)).rejects.toMatchObject(refused)
      await expect(attempt(4)).rejects.toMatchObject(refused)
      await attempt(6)
    })

    test('refuses a removed one, a disabled user, and a user who may not sign in locally', async () => {
      const { device, user, passkey } = await added('removed')
      const options = await passkeySignInOptions(stranger())
      const checked = await checkAssertion(stranger(), 'sign-in', device.sign(options))
      const ctx = stranger()
      const security = { ...ctx.config.security, local_login: false }
      const closed = { ...ctx, config: { ...ctx.config, security } }
      await expect(signInWithPasskey(closed, device.sign(options))).rejects.toMatchObject(refused)
      await removePasskey(world.ctx(user), passkey.id)
      expect(checked && (await world.db.write((tx) => useAssertion(tx, ctx, checked)))).toBe(false)
      const again = device.sign(await passkeySignInOptions(stranger()))
      await expect(signInWithPasskey(stranger(), again)).rejects.toMatchObject(refused)
      const off = await added('off')
      await world.db.write(async ({ q, t }) => q.update(t.users).set({ disabled: true }))
      const signed = off.device.sign(await passkeySignInOptions(stranger()))
      await expect(signInWithPasskey(stranger(), signed)).rejects.toMatchObject(refused)
      await world.db.write(async ({ q, t }) => q.update(t.users).set({ disabled: false }))
    })

    test('is throttled by address', async () => {
      const ctx = stranger()
      const device = new Authenticator(origin())
      const signed = device.sign(await passkeySignInOptions(ctx))
      for (let i = 0; i < 50; i++) await expect(signInWithPasskey(ctx, signed)).rejects.toMatchObject(refused)
      await expect(signInWithPasskey(ctx, signed)).rejects.toMatchObject({ code: 'throttled' })
    })
  })

  describe('as a second factor', () => {
    test('is asked for once there is one, and only ends the sign-in of its own password', async () => {
      const { user, device } = await added('second')
      const asked = await ask('second')
      expect(asked).toMatchObject({ recoveryCodesLeft: 10, passkey: { userVerification: 'preferred' } })
      const passkey = device.sign(optionsOf(asked), { isVerified: false })
      const secret = await finishLogin(stranger(), { ticket: asked.ticket, passkey })
      expect(await whoIs(secret)).toMatchObject({ id: user.id })
      await expect(finishLogin(stranger(), { ticket: asked.ticket, passkey })).rejects.toMatchObject(refused)
      const [first, second] = [await ask('second'), await ask('second')]
      const crossed = { ticket: first.ticket, passkey: device.sign(optionsOf(second)) }
      await expect(finishLogin(stranger(), crossed)).rejects.toMatchObject(refused)
      const alone = device.sign(await passkeySignInOptions(stranger()))
      await expect(finishLogin(stranger(), { ticket: first.ticket, passkey: alone })).rejects.toMatchObject(
        refused,
      )
    })

    test('a recovery code stands in for it, once, in any case and with any dashes', async () => {
      const { recoveryCodes, user } = await added('recovers')
      const [code = '', next = ''] = recoveryCodes
      const finish = async (recovery_code: string) =>
        finishLogin(stranger(), { ticket: (await ask('recovers')).ticket, recovery_code })
      await expect(finish('2222-2222-2222-2222')).rejects.toMatchObject({
        ...refused,
        errors: [{ field: 'recovery_code' }],
      })
      expect(await whoIs(await finish(code.toUpperCase().replaceAll('-', ' ')))).toMatchObject({
        id: user.id,
      })
      await expect(finish(code)).rejects.toMatchObject(refused)
      const asked = await ask('recovers')
      expect(asked.recoveryCodesLeft).toBe(9)
      const both = await Promise.allSettled(
        [1, 2].map(() => finishLogin(stranger(), { ticket: asked.ticket, recovery_code: next })),
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })

    test('one ticket signs in once, whatever codes come with it', async () => {
      const { recoveryCodes } = await added('ticket')
      const { ticket } = await ask('ticket')
      const [first = '', second = ''] = recoveryCodes
      await finishLogin(stranger(), { ticket, recovery_code: first })
      await expect(finishLogin(stranger(), { ticket, recovery_code: second })).rejects.toMatchObject(refused)
    })

    test('ends with the password that was right, and after five minutes', async () => {
      const { device } = await added('replaced')
      const asked = await ask('replaced')
      await resetPassword(world.ctx(), 'replaced', 'an-entirely-other-lamp-7')
      const passkey = device.sign(optionsOf(asked))
      await expect(finishLogin(stranger(), { ticket: asked.ticket, passkey })).rejects.toMatchObject({
        ...refused,
        detail: expect.stringContaining('expired') as string,
      })
      const { recoveryCodes } = await added('late')
      const late = await ask('late')
      later(5 * minute)
      const given = { ticket: late.ticket, recovery_code: recoveryCodes[0] }
      await expect(finishLogin(stranger(), given)).rejects.toMatchObject(refused)
    })

    test('ten wrong ones lock it, from wherever they come; the right password does not unlock it', async () => {
      const { recoveryCodes } = await added('locked')
      const wrong = async () =>
        finishLogin(stranger(), { ticket: (await ask('locked')).ticket, recovery_code: 'wrong' })
      for (let i = 0; i < 10; i++) await expect(wrong()).rejects.toMatchObject(refused)
      const { ticket } = await ask('locked')
      const right = { ticket, recovery_code: recoveryCodes[0] }
      await expect(finishLogin(stranger(), right)).rejects.toMatchObject({ code: 'throttled' })
    })
  })

  test('new recovery codes end the former; the last passkey takes them along', async () => {
    const { user, passkey, recoveryCodes } = await added('renews')
    const codes = await createRecoveryCodes(world.ctx(user))
    const { ticket } = await ask('renews')
    const old = { ticket, recovery_code: recoveryCodes[0] }
    await expect(finishLogin(stranger(), old)).rejects.toMatchObject(refused)
    expect(await whoIs(await finishLogin(stranger(), { ticket, recovery_code: codes[0] }))).toBeTruthy()
    await removePasskey(world.ctx(user), passkey.id)
    await expect(createRecoveryCodes(world.ctx(user))).rejects.toMatchObject({ code: 'state-conflict' })
    expect(await login(stranger(), { username: 'renews', password })).toBeTypeOf('string')
  })

  test('renaming and removing touch one’s own alone, and removing needs a fresh sign-in', async () => {
    const { user, passkey } = await added('owner')
    const other = await givenUser(world, 'nosy', { passwordHash })
    await expect(renamePasskey(world.ctx(other), passkey.id, 'Mine')).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(removePasskey(world.ctx(other), passkey.id)).rejects.toMatchObject({ code: 'not-found' })
    expect(await renamePasskey(world.ctx(user), passkey.id, 'Phone')).toMatchObject({ name: 'Phone' })
    later(11 * minute)
    const stale = { code: 'fresh-sign-in-required' }
    await expect(removePasskey(world.ctx(user), passkey.id)).rejects.toMatchObject(stale)
    await expect(createRecoveryCodes(world.ctx(user))).rejects.toMatchObject(stale)
    expect(await listPasskeys(world.ctx(user))).toHaveLength(1)
  })

  test('the command line takes them off an account, and the password alone signs in', async () => {
    const { user } = await added('lost')
    expect(await resetSecondFactor(world.ctx(), 'lost')).toBe(1)
    await expect(whoIs(user.secret)).rejects.toMatchObject(refused)
    expect(await login(stranger(), { username: 'lost', password })).toBeTypeOf('string')
  })

  test('a password or a passkey confirms a session that is no longer fresh', async () => {
    const { user, device } = await added('confirms')
    const fresh = async () => {
      const actor = await whoIs(user.secret)
      return actor.kind === 'user' && actor.auth.kind === 'session' && actor.auth.confirmedAt.getTime()
    }
    const began = await fresh()
    later(20 * minute)
    expect(await fresh()).toBe(began)
    const wrong = { current_password: 'wrong' }
    await expect(confirmSession(world.ctx(user), wrong)).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(confirmSession(world.ctx(user), {})).rejects.toMatchObject({ code: 'validation-failed' })
    const stolen = device.sign(await passkeySignInOptions(stranger()))
    await expect(confirmSession(world.ctx(user), { passkey: stolen })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await fresh()).toBe(began)
    await confirmSession(world.ctx(user), {
      passkey: device.sign(await confirmationOptions(world.ctx(user))),
    })
    expect(await fresh()).toBe(world.clock.now.getTime())
    later(20 * minute)
    await confirmSession(world.ctx(user), { current_password: password })
    expect(await fresh()).toBe(world.clock.now.getTime())
  })
})
