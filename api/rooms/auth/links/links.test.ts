import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { mountAdmin } from '../../admin/handlers.ts'
import type { Config } from '../../../platform/config/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { jobEnded } from '../../../app/housekeeping.ts'
import { findUser, findUserById, updateMe } from '../../namespaces/index.ts'
import { frame, nativeSurface } from '../../../surfaces/server/frame.ts'
import {
  eachDatabase,
  givenOrg,
  givenToken,
  givenUser,
  overtake,
  testConfig,
  waysToOvertake,
} from '../../../testing.ts'
import { disableUser } from '../disable-user.ts'
import { mountAuth } from '../handlers.ts'
import { hashPassword } from '../passwords.ts'
import { redeemLink } from './redeem-link.ts'

const password = 'quiet-otter-lamp-42'
const better = 'brisk-heron-vault-77'
const dayMs = 24 * 3_600_000

interface Answer {
  status: number
  json: Record<string, unknown> & { errors?: { field: string }[] }
  session: string | undefined
}

eachDatabase('links, invites and registration', (world) => {
  let root: UserActor
  let admin = ''
  let n = 0
  let ip = ''
  beforeAll(async () => {
    root = await givenUser(world, 'root', { isAdmin: true })
    admin = (await givenToken(world, root, { scopes: ['write', 'admin'] })).secret
  })
  beforeEach(() => {
    ip = `192.0.2.${n++}`
  })

  function serverOf(security: Partial<Config['security']> = {}): App {
    const config = testConfig(world.dir, { security })
    const app = frame({ ...world.deps, config })
    app.route(
      nativeBase,
      nativeSurface([mountAuth, mountAdmin({ kinds: [], ended: jobEnded, schedules: () => [] })]),
    )
    return app
  }
  async function send(
    app: App,
    method: string,
    path: string,
    body?: unknown,
    bearer?: string,
  ): Promise<Answer> {
    const answer = await app.request(
      nativeBase + path,
      {
        method,
        headers: { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      { incoming: { socket: { remoteAddress: ip } } },
    )
    const text = await answer.text()
    const session = /service_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
    return { status: answer.status, json: (text ? JSON.parse(text) : {}) as Answer['json'], session }
  }
  const asAdmin = (method: string, path: string, body?: unknown) =>
    send(serverOf(), method, path, body, admin)
  const secretOf = ({ json }: Answer) => String(json['url']).split('/').at(-1) ?? ''
  const redeem = (secret: string, body: object = {}, app = serverOf()) =>
    send(app, 'POST', `/auth/links/${secret}`, body)
  const person = async (email?: string) =>
    givenUser(world, `person-${n++}`, { passwordHash: await hashPassword(password), ...(email && { email }) })
  const pending = async (email: string) => {
    const user = await person()
    await updateMe(world.ctx(user), { email })
    return user
  }
  const emailLink = (user: { id: string }, email: string) =>
    asAdmin('POST', `/admin/users/${user.id}/email-link`, { email })
  const notFound = { status: 404, json: { code: 'not-found' } }

  test('an e-mail link confirms the pending address, once', async () => {
    const user = await pending('ada@example.org')
    const made = await emailLink(user, 'ada@example.org')
    expect(made).toMatchObject({ status: 201, json: { email: 'ada@example.org' } })
    expect(made.json['url']).toMatch(/^http:\/\/localhost:8080\/links\/[\w-]{43}$/)
    expect(made.json['expires_at']).toBe(new Date(world.clock.now.getTime() + 3 * dayMs).toISOString())
    const secret = secretOf(made)
    const info = await send(serverOf(), 'GET', `/auth/links/${secret}`)
    expect(info).toMatchObject({
      status: 200,
      json: { kind: 'email', username: user.username, email: 'ada@example.org' },
    })
    expect(await findUserById(world.db, user.id)).toMatchObject({ email: null })
    expect(await redeem(secret)).toMatchObject({
      status: 200,
      json: { kind: 'email', username: user.username },
    })
    expect(await findUserById(world.db, user.id)).toMatchObject({
      email: 'ada@example.org',
      email_verified: true,
      pending_email: null,
    })
    expect(await redeem(secret)).toMatchObject(notFound)
  })

  test('an e-mail link needs a pending address, and the one that the admin saw', async () => {
    const user = await person()
    expect(await emailLink(user, 'x@example.org')).toMatchObject({
      status: 422,
      json: { code: 'no-pending-email' },
    })
    await updateMe(world.ctx(user), { email: 'new@example.org' })
    expect(await emailLink(user, 'x@example.org')).toMatchObject({
      status: 409,
      json: { code: 'pending-email-changed' },
    })
    const { links } = world.db.t
    expect(await world.db.q.$count(links, eq(links.user_id, user.id))).toBe(0)
    expect(await emailLink({ id: crypto.randomUUID() }, 'x@example.org')).toMatchObject(notFound)
  })

  test('a new link, a new address, its cancelling and its removal end the earlier link', async () => {
    const user = await pending('one@example.org')
    const first = secretOf(await emailLink(user, 'one@example.org'))
    const second = secretOf(await emailLink(user, 'one@example.org'))
    expect(await redeem(first)).toMatchObject(notFound)
    const { secret: token } = await givenToken(world, user)
    for (const email of ['two@example.org', 'one@example.org'])
      expect((await send(serverOf(), 'PATCH', '/me', { email }, token)).status).toBe(200)
    expect(await redeem(second)).toMatchObject(notFound)
    const third = secretOf(await emailLink(user, 'one@example.org'))
    expect((await send(serverOf(), 'PATCH', '/me', { email: '' }, token)).status).toBe(200)
    expect(await redeem(third)).toMatchObject(notFound)
  })

  test('an address that another user has by now is not confirmed, and the link stays', async () => {
    const user = await pending('late@example.org')
    const secret = secretOf(await emailLink(user, 'late@example.org'))
    const faster = await person('late@example.org')
    expect(await redeem(secret)).toMatchObject({ status: 409, json: { code: 'email-taken' } })
    await world.db.write(async ({ q, t }) => {
      await q.update(t.users).set({ email: null, email_key: null }).where(eq(t.users.id, faster.id))
    })
    expect(await redeem(secret)).toMatchObject({ status: 200 })
  })

  test('links expire after 72 hours', async () => {
    const user = await pending('slow@example.org')
    const secret = secretOf(await emailLink(user, 'slow@example.org'))
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 3 * dayMs)
    expect(await redeem(secret)).toMatchObject(notFound)
    expect(await send(serverOf(), 'GET', `/auth/links/${secret}`)).toMatchObject(notFound)
    world.clock.now = before
  })

  test('a reset link sets a password that meets the policy and ends every session; tokens stay unless asked', async () => {
    const user = await person()
    const { secret: token } = await givenToken(world, user)
    const secret = secretOf(await asAdmin('POST', `/admin/users/${user.id}/reset-link`))
    expect(await redeem(secret, { password: 'short' })).toMatchObject({
      status: 422,
      json: { code: 'weak-password' },
    })
    expect(await redeem(secret, {})).toMatchObject({ status: 422, json: { errors: [{ field: 'password' }] } })
    expect(await redeem(secret, { password: better })).toMatchObject({ status: 200, json: { kind: 'reset' } })
    const login = (given: string) =>
      send(serverOf(), 'POST', '/auth/login', { username: user.username, password: given })
    expect([(await login(password)).status, (await login(better)).status]).toEqual([401, 200])
    expect(await world.db.q.$count(world.db.t.sessions, eq(world.db.t.sessions.digest, user.secret))).toBe(0)
    expect((await send(serverOf(), 'GET', '/me', undefined, token)).status).toBe(200)
    const again = secretOf(await asAdmin('POST', `/admin/users/${user.id}/reset-link`))
    expect(await redeem(again, { password, revoke_tokens: true })).toMatchObject({ status: 200 })
    expect((await send(serverOf(), 'GET', '/me', undefined, token)).status).toBe(401)
  })

  test('to disable a user ends their links and the invites they made', async () => {
    const user = await person()
    const reset = secretOf(await asAdmin('POST', `/admin/users/${user.id}/reset-link`))
    const second = await givenUser(world, `second-${n++}`, { isAdmin: true })
    const { secret: theirs } = await givenToken(world, second, { scopes: ['write', 'admin'] })
    const invite = secretOf(await send(serverOf(), 'POST', '/admin/invites', {}, theirs))
    await disableUser(world.ctx(), user.username)
    await disableUser(world.ctx(), second.username)
    expect(await redeem(reset, { password: better })).toMatchObject(notFound)
    expect(await redeem(invite, { username: 'x', password: better })).toMatchObject(notFound)
    expect(await asAdmin('POST', `/admin/users/${user.id}/reset-link`)).toMatchObject({ status: 409 })
  })

  test('an invite makes the account it promises, with what could not be kept as a notice', async () => {
    await givenOrg(world, `crew-${n}`, root)
    const org = `crew-${n}`
    const name = `invited-${n++}`
    const invite = {
      username: name,
      display_name: 'The Invited',
      email: 'invited@example.org',
      orgs: [{ ns: org, role: 'write' }],
      note: 'welcome',
    }
    const secret = secretOf(await asAdmin('POST', '/admin/invites', invite))
    expect(await send(serverOf(), 'GET', `/auth/links/${secret}`)).toMatchObject({
      json: { kind: 'invite', ...invite },
    })
    const open = (await asAdmin('GET', '/admin/invites')).json['items'] as {
      note: string
      created_by: string
    }[]
    expect(open[0]).toMatchObject({ ...invite, created_by: 'root' })
    await person('invited@example.org')
    const done = await redeem(secret, { password: better, username: 'ignored' })
    expect(done).toMatchObject({ status: 200, json: { username: name } })
    expect(done.json['notices']).toHaveLength(1)
    expect(done.session).toMatch(/^[\w-]{43}$/)
    const user = await findUser(world.db, name)
    expect(user).toMatchObject({ email: null, display_name: 'The Invited' })
    const { members } = world.db.t
    const [member] = await world.db.q
      .select()
      .from(members)
      .where(eq(members.user_id, user?.id ?? ''))
    expect(member).toMatchObject({ role: 'write', source: 'manual' })
    expect(await redeem(secret, { password: better })).toMatchObject(notFound)
  })

  test('who is invited chooses a name that is free; a failure leaves the invite usable', async () => {
    const secret = secretOf(await asAdmin('POST', '/admin/invites', { is_admin: true }))
    const attempts: [object, object][] = [
      [{ password: better }, { status: 422 }],
      [
        { username: 'root', password: better },
        { status: 409, json: { code: 'name-taken' } },
      ],
      [
        { username: 'a b', password: better },
        { status: 422, json: { code: 'invalid-name' } },
      ],
      [
        { username: 'fine', password: 'x' },
        { status: 422, json: { code: 'weak-password' } },
      ],
      [{ username: `fine-${n}`, password: better }, { status: 200 }],
    ]
    for (const [body, expected] of attempts) expect(await redeem(secret, body)).toMatchObject(expected)
    expect(await findUser(world.db, `fine-${n}`)).toMatchObject({ is_admin: true })
  })

  test('an invite that promises what is not there is not made, and one can be revoked', async () => {
    for (const [body, expected] of [
      [{ username: 'root' }, { status: 409, json: { code: 'name-taken' } }],
      [{ username: 'a b' }, { status: 422, json: { code: 'invalid-name' } }],
      [
        { orgs: [{ ns: 'nowhere', role: 'read' }] },
        { status: 422, json: { errors: [{ field: 'orgs.0.ns' }] } },
      ],
    ] as const)
      expect(await asAdmin('POST', '/admin/invites', body)).toMatchObject(expected)
    const secret = secretOf(await asAdmin('POST', '/admin/invites', { note: 'to revoke' }))
    const [open] = (await asAdmin('GET', '/admin/invites')).json['items'] as { id: string }[]
    expect((await asAdmin('DELETE', `/admin/invites/${open?.id}`)).status).toBe(204)
    expect((await asAdmin('DELETE', `/admin/invites/${open?.id}`)).status).toBe(404)
    expect(await redeem(secret, { username: 'y', password: better })).toMatchObject(notFound)
  })

  test('of two who redeem a link at once, one wins, however they meet', async () => {
    for (const how of waysToOvertake(world)) {
      const secret = secretOf(await asAdmin('POST', '/admin/invites', {}))
      const redeeming = (username: string) => ({
        ctx: world.ctx(anonymous),
        run: (ctx: Ctx) => redeemLink(ctx, secret, { username, password: better }),
      })
      const [first, late] = [`racer-${n++}`, `racer-${n++}`]
      const both = { first: redeeming(first), late: redeeming(late), lock: /^update "links"/ }
      await expect(overtake(how, both)).rejects.toMatchObject({ code: 'not-found', status: 404 })
      const made = await Promise.all([first, late].map((name) => findUser(world.db, name)))
      expect(made.map((user) => user?.username)).toEqual([first, undefined])
    }
    const secret = secretOf(await asAdmin('POST', '/admin/invites', {}))
    const names = Array.from({ length: 4 }, () => `racer-${n++}`)
    const all = await Promise.all(names.map((username) => redeem(secret, { username, password: better })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
  })

  test('of two who set a password by one reset link at once, one wins, and theirs is the password', async () => {
    for (const how of waysToOvertake(world)) {
      const user = await person()
      const secret = secretOf(await asAdmin('POST', `/admin/users/${user.id}/reset-link`))
      const redeeming = (given: string) => ({
        ctx: world.ctx(anonymous),
        run: (ctx: Ctx) => redeemLink(ctx, secret, { password: given }),
      })
      const both = { first: redeeming(better), late: redeeming(`late-${better}`), lock: /^update "links"/ }
      await expect(overtake(how, both)).rejects.toMatchObject({ code: 'not-found', status: 404 })
      const login = async (given: string) =>
        (await send(serverOf(), 'POST', '/auth/login', { username: user.username, password: given })).status
      expect([await login(better), await login(`late-${better}`)]).toEqual([200, 401])
    }
    const user = await person()
    const secret = secretOf(await asAdmin('POST', `/admin/users/${user.id}/reset-link`))
    const all = await Promise.all([1, 2, 3].map((i) => redeem(secret, { password: `${i}-${better}` })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  })

  test('of two who confirm an address by one e-mail link at once, one wins', async () => {
    for (const how of [...waysToOvertake(world), undefined]) {
      const email = `raced-${n++}@example.org`
      const user = await pending(email)
      const secret = secretOf(await emailLink(user, email))
      const verb = { ctx: world.ctx(anonymous), run: (ctx: Ctx) => redeemLink(ctx, secret, {}) }
      if (how)
        await expect(
          overtake(how, { first: verb, late: verb, lock: /^update "links"/ }),
        ).rejects.toMatchObject({ code: 'not-found', status: 404 })
      else {
        const all = await Promise.all([redeem(secret), redeem(secret), redeem(secret)])
        expect(all.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
      }
      expect(await findUserById(world.db, user.id)).toMatchObject({ email, pending_email: null })
      const { audit } = world.db.t
      const rows = and(eq(audit.action, 'link.email.redeem'), eq(audit.target_id, user.id))
      expect(await world.db.q.$count(audit, rows)).toBe(1)
    }
  })

  test('unknown links count as failed attempts', async () => {
    for (let i = 0; i < 50; i++) expect((await redeem(`guess-${i}`)).status).toBe(404)
    expect(await redeem('guess')).toMatchObject({ status: 429, json: { code: 'throttled' } })
  })

  test('registration follows its setting', async () => {
    const register = (security: Partial<Config['security']>, body: object) =>
      send(serverOf(security), 'POST', '/auth/register', body)
    const someone = (more: object = {}) => ({ username: `self-${n++}`, password: better, ...more })
    expect(await register({ registration: 'closed' }, someone())).toMatchObject({
      status: 403,
      json: { code: 'registration-closed' },
    })
    expect(await register({ registration: 'invite' }, someone())).toMatchObject({ status: 403 })
    const invite = secretOf(await asAdmin('POST', '/admin/invites', {}))
    expect(await register({ registration: 'invite' }, someone({ invite }))).toMatchObject({ status: 201 })
    const made = await register({ registration: 'open' }, someone({ email: 'self@example.org' }))
    expect(made).toMatchObject({
      status: 201,
      json: { pending_email: 'self@example.org', email_verified: false },
    })
    expect(made.json).not.toHaveProperty('email')
    expect(made.session).toBeDefined()
    expect(await register({ registration: 'open' }, someone({ username: 'root' }))).toMatchObject({
      status: 409,
    })
    expect(await register({ registration: 'open' }, someone({ password: 'x' }))).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'password' }] },
    })
  })

  test('five accounts from one network within an hour', async () => {
    const open = serverOf({ registration: 'open' })
    const register = () => send(open, 'POST', '/auth/register', { username: `many-${n++}`, password: better })
    for (let i = 0; i < 5; i++) expect((await register()).status).toBe(201)
    expect(await register()).toMatchObject({ status: 429 })
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 3_600_000)
    expect((await register()).status).toBe(201)
    world.clock.now = before
  })

  test('without local login, registration, resets and passwords of invites say so', async () => {
    const off = serverOf({ local_login: false, registration: 'open' })
    const user = await person()
    const reset = secretOf(await asAdmin('POST', `/admin/users/${user.id}/reset-link`))
    const invite = secretOf(await asAdmin('POST', '/admin/invites', {}))
    const refused = { status: 403, json: { code: 'forbidden' } }
    expect(await redeem(reset, { password: better }, off)).toMatchObject(refused)
    expect(await redeem(invite, { username: 'no', password: better }, off)).toMatchObject(refused)
    expect(await send(off, 'POST', '/auth/register', { username: 'no', password: better })).toMatchObject(
      refused,
    )
    expect(await send(off, 'POST', `/admin/users/${user.id}/reset-link`, undefined, admin)).toMatchObject(
      refused,
    )
  })
})
