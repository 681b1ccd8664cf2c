import { desc } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { appWith, attempt, givenProvider, type TestProvider } from './testing.ts'

eachDatabase('sessions and identities of providers', (world) => {
  let idp: TestProvider
  let other: TestProvider
  let n = 0
  beforeEach(async () => {
    idp = await givenProvider()
    other = await givenProvider()
  })
  afterEach(async () => {
    await idp.close()
    await other.close()
  })

  const server = () =>
    appWith(world, [
      { id: 'idp', issuer: idp.issuer, auto_create_users: true },
      { id: 'other', issuer: other.issuer, auto_create_users: true },
    ])
  const lastRefusal = async () => {
    const { q, t } = world.db
    const [row] = await q.select().from(t.audit).orderBy(desc(t.audit.id)).limit(1)
    return row
  }
  const seconds = () => Math.floor(world.clock.now.getTime() / 1000)

  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const logout = async (to: ReturnType<typeof server>, token: string, id = 'idp') =>
    to.app.request(`/auth/oidc/${id}/backchannel-logout`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    })
  const isIn = async (to: ReturnType<typeof server>, session = '') =>
    (await to.app.request('/api/service/v1/me', { headers: { Cookie: `service_session=${session}` } }))
      .status === 200
  const logoutToken = (claims: object) =>
    idp.sign({
      iss: idp.issuer,
      aud: 'arsenal',
      iat: seconds(),
      exp: seconds() + 60,
      jti: 'j',
      events: event,
      ...claims,
    })

  test('a logout token ends the sessions of its subject or of the provider’s session, and no others', async () => {
    const to = server()
    const sign = async (subject: string, sid: string) =>
      (await attempt(to, idp, 'idp', subject, { ip: '203.0.113.80', claims: { sid } })).session
    const [one, two, three] = [
      await sign('leaver', 's1'),
      await sign('leaver', 's2'),
      await sign('stayer', 's3'),
    ]
    const elsewhere = (await attempt(to, other, 'other', 'leaver', { ip: '203.0.113.80' })).session
    expect((await logout(to, await logoutToken({ sid: 's1' }))).status).toBe(200)
    expect([await isIn(to, one), await isIn(to, two)]).toEqual([false, true])
    expect((await logout(to, await logoutToken({ sub: 'leaver' }))).status).toBe(200)
    expect([await isIn(to, two), await isIn(to, three), await isIn(to, elsewhere)]).toEqual([
      false,
      true,
      true,
    ])
  })

  test.each([
    ['without the event', { events: {} }],
    ['with a nonce', { nonce: 'n' }],
    ['for another client', { aud: 'other' }],
    ['from another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1 }],
    ['that names no one', { sub: undefined }],
  ])('a logout token %s ends nothing', async (_, claims) => {
    const to = server()
    const { session } = await attempt(to, idp, 'idp', 'kept', { ip: '203.0.113.81' })
    const answer = await logout(to, await logoutToken({ sub: 'kept', ...claims }))
    expect([answer.status, await isIn(to, session)]).toEqual([400, true])
    expect((await lastRefusal())?.action).toBe('login.fail')
  })

  const call = async (
    to: ReturnType<typeof server>,
    session: string,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const me = (await (
      await to.app.request('/api/service/v1/me', { headers: { Cookie: `service_session=${session}` } })
    ).json()) as { csrf_token: string }
    const answer = await to.app.request(`/api/service/v1${path}`, {
      method,
      headers: {
        Cookie: `service_session=${session}`,
        'X-CSRF-Token': me.csrf_token,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: (text ? JSON.parse(text) : {}) as Record<string, string> }
  }

  test('an account is connected in its own session alone, and the last way in stays', async () => {
    const to = server()
    const ip = '203.0.113.90'
    const user = await givenUser(world, `connector-${n++}`)
    const { json } = await call(to, user.secret, 'POST', '/me/identities', { provider: 'idp' })
    const ticket = new URL(json['start_url'] ?? '', 'http://x').searchParams.get('ticket') ?? ''
    const stranger = await givenUser(world, `stranger-${n++}`)
    for (const session of [undefined, stranger.secret])
      expect(
        await attempt(to, idp, 'idp', 'connected', { ip, start: { ticket }, ...(session && { session }) }),
      ).toMatchObject({ status: 403 })
    expect(
      await attempt(to, other, 'other', 'connected', { ip, start: { ticket }, session: user.secret }),
    ).toMatchObject({
      status: 403,
    })
    const done = await attempt(to, idp, 'idp', 'connected', {
      ip,
      start: { ticket, next: '/settings/sign-in' },
      session: user.secret,
    })
    expect(done).toMatchObject({ status: 303, location: '/settings/sign-in' })
    const later = await attempt(to, idp, 'idp', 'connected', { ip })
    const me = await call(to, later.session ?? '', 'GET', '/me')
    expect(me.json).toMatchObject({ id: user.id, identities: [{ provider: 'idp' }] })
    const own = later.session ?? ''
    expect(await call(to, own, 'DELETE', '/me/identities/idp')).toMatchObject({
      status: 409,
      json: { code: 'state-conflict' },
    })
    const second = await call(to, own, 'POST', '/me/identities', { provider: 'other' })
    const start = {
      ticket: new URL(second.json['start_url'] ?? '', 'http://x').searchParams.get('ticket') ?? '',
    }
    const both = await attempt(to, other, 'other', 'elsewhere', { ip, start, session: own })
    expect(await call(to, both.session ?? '', 'DELETE', '/me/identities/idp')).toMatchObject({ status: 204 })
    expect(await call(to, both.session ?? '', 'DELETE', '/me/identities/idp')).toMatchObject({ status: 404 })
  })

  test('an identity of another account is not taken over', async () => {
    const to = server()
    const ip = '203.0.113.91'
    await attempt(to, idp, 'idp', 'owned', { ip })
    const user = await givenUser(world, `taker-${n++}`)
    const { json } = await call(to, user.secret, 'POST', '/me/identities', { provider: 'idp' })
    const start = { ticket: new URL(json['start_url'] ?? '', 'http://x').searchParams.get('ticket') ?? '' }
    const outcome = await attempt(to, idp, 'idp', 'owned', { ip, start, session: user.secret })
    expect(outcome.status).toBe(409)
    expect(outcome.text).toContain('belongs to another account')
  })

  test('a session older than ten minutes needs the password to connect', async () => {
    const to = server()
    const user = await givenUser(world, `old-${n++}`)
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 10 * 60_000 + 1)
    const answer = await call(to, user.secret, 'POST', '/me/identities', { provider: 'idp' })
    expect(answer).toMatchObject({ status: 403, json: { code: 'fresh-sign-in-required' } })
    const missing = await call(to, user.secret, 'POST', '/me/identities', {
      provider: 'idp',
      current_password: 'x',
    })
    expect(missing).toMatchObject({ status: 403, json: { code: 'no-local-password' } })
    world.clock.now = before
  })

  test('the rights of one account from two providers come and go one by one', async () => {
    const orgs = (org: string) => [{ group: 'g', org, role: 'write' as const }]
    const more = { auto_create_users: true, admin_groups: ['chiefs'] }
    const tag = `both-${n++}`
    const to = appWith(world, [
      { id: 'idp', issuer: idp.issuer, ...more, org_mappings: orgs(`${tag}-one`) },
      { id: 'other', issuer: other.issuer, ...more, org_mappings: orgs(`${tag}-two`) },
    ])
    const ip = '203.0.113.92'
    const user = await givenUser(world, tag)
    await givenUser(world, `${tag}-root`, { isAdmin: true })
    const connect = async (provider: string, from: TestProvider, session: string) => {
      const { json } = await call(to, session, 'POST', '/me/identities', { provider })
      const ticket = new URL(json['start_url'] ?? '', 'http://x').searchParams.get('ticket') ?? ''
      return (await attempt(to, from, provider, tag, { ip, start: { ticket }, session })).session ?? ''
    }
    const rights = async (provider: string, groups: string[]) => {
      const from = provider === 'idp' ? idp : other
      const { session } = await attempt(to, from, provider, tag, { ip, claims: { groups } })
      const { json } = await call(to, session ?? '', 'GET', '/me')
      const {
        id,
        is_admin,
        orgs: held,
      } = json as unknown as {
        id: string
        is_admin: boolean
        orgs: { ns: string }[]
      }
      expect(id).toBe(user.id)
      return [is_admin, ...held.map(({ ns }) => ns.replace(`${tag}-`, ''))]
    }
    await connect('other', other, await connect('idp', idp, user.secret))
    expect(await rights('idp', ['g', 'chiefs'])).toEqual([true, 'one'])
    expect(await rights('other', ['g'])).toEqual([true, 'one', 'two'])
    expect(await rights('idp', [])).toEqual([false, 'two'])
    expect(await rights('other', ['g', 'chiefs'])).toEqual([true, 'two'])
    expect(await rights('idp', ['g'])).toEqual([true, 'one', 'two'])
    expect(await rights('other', [])).toEqual([false, 'one'])
  })
})
