import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { App } from '../http/env.ts'
import { appOf, eachDatabase, givenToken, givenUser, type World } from '../testing.ts'
import { mountAuth } from './handlers.ts'
import { mountOAuth } from './oauth-handlers.ts'
import { hashPassword } from './passwords.ts'
import { hfClientId } from './request-device.ts'

const base = '/api/service/v1'
const password = 'quiet-otter-lamp-42'
const origin = 'http://localhost:8080'

interface Call {
  bearer?: string
  /** A Session's secret, sent as the cookie. */
  session?: string
  csrf?: string
  body?: unknown
  headers?: Record<string, string>
  ip?: string
}

function client(world: World) {
  let app: App | undefined
  return async (
    method: string,
    path: string,
    { bearer, session, csrf, body, headers, ip = '192.0.2.1' }: Call = {},
  ) => {
    app ??= appOf(world, { native: [mountAuth], root: [mountOAuth] })
    const init = {
      method,
      headers: {
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
        ...(session && { Cookie: `service_session=${session}` }),
        ...(csrf && { 'X-CSRF-Token': csrf }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const answer = await app.request(origin + path, init, { incoming: { socket: { remoteAddress: ip } } })
    const text = await answer.text()
    const json = text
      ? (JSON.parse(text) as Record<string, unknown> & { errors?: { field: string }[] })
      : undefined
    return { status: answer.status, headers: answer.headers, json, text }
  }
}

eachDatabase('account operations over HTTP', (world) => {
  const call = client(world)
  let ada: UserActor & { secret: string }
  let csrf = ''
  let token = ''
  beforeAll(async () => {
    ada = await givenUser(world, 'Ada', {
      passwordHash: await hashPassword(password),
      email: 'ada@example.org',
    })
    csrf = ada.auth.kind === 'session' ? world.deps.secrets.csrfFor(ada.auth.sessionId) : ''
    token = (await givenToken(world, ada, { name: 'laptop' })).secret
  })

  describe('GET /me', () => {
    test('is 204 without a body when nobody is signed in', async () => {
      expect(await call('GET', `${base}/me`)).toMatchObject({ status: 204, text: '' })
    })

    test('tells a Session who it is, and its CSRF token', async () => {
      const { status, json } = await call('GET', `${base}/me`, { session: ada.secret })
      expect(status).toBe(200)
      expect(json).toEqual({
        ...{
          id: ada.id,
          username: 'Ada',
          display_name: 'Ada',
          email: 'ada@example.org',
          email_verified: true,
        },
        ...{ avatar_url: 'http://localhost:8080/avatars/Ada.svg', is_admin: false, has_password: true },
        ...{ identities: [], orgs: [], csrf_token: csrf, created_at: '2026-03-01T12:00:00.000Z' },
        auth: { kind: 'session', scopes: ['read', 'write'], expires_at: '2026-03-31T12:00:00.000Z' },
      })
    })

    test('tells a Token what it may do, and no CSRF token', async () => {
      const { json } = await call('GET', `${base}/me`, { bearer: token })
      expect(json).toMatchObject({ auth: { kind: 'token', token_name: 'laptop', scopes: ['write'] } })
      expect(json).not.toHaveProperty('csrf_token')
    })

    test('works with a fenced Token', async () => {
      const { secret } = await givenToken(world, ada, { scopes: ['read'], fence: { namespaces: ['x'] } })
      expect(await call('GET', `${base}/me`, { bearer: secret })).toMatchObject({ status: 200 })
    })

    test.each([
      ['a wrong bearer Token', { bearer: 'hf_wrong' }],
      ['an unknown scheme', { headers: { Authorization: 'Digest abc' } }],
      ['basic credentials', { headers: { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } }],
      ['a Session that does not exist', { session: 'nothing' }],
      ['a wrong bearer Token beside a good Session', { bearer: 'hf_wrong', session: 'ada' }],
    ])('is 401 for %s', async (_, credentials: Call) => {
      const session = credentials.session === 'ada' ? { session: ada.secret } : {}
      const { status, json, headers } = await call('GET', `${base}/me`, { ...credentials, ...session })
      expect({ status, code: json?.['code'] }).toEqual({ status: 401, code: 'bad-credentials' })
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(headers.get('www-authenticate')).toContain('Bearer')
    })

    test('is 401 once for a Session that has ended, and takes its cookie away', async () => {
      const { headers } = await call('GET', `${base}/me`, { session: 'nothing' })
      expect(headers.get('set-cookie')).toMatch(
        /^service_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/,
      )
    })
  })

  describe('POST /auth/login', () => {
    const login = (body: unknown, more: Call = {}) => call('POST', `${base}/auth/login`, { body, ...more })

    test('sets the cookie as the specification has it, and answers Me', async () => {
      const { status, headers, json } = await login({ username: 'ada', password })
      expect({ status, username: json?.['username'] }).toEqual({ status: 200, username: 'Ada' })
      expect(headers.get('set-cookie')).toMatch(
        /^service_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      )
    })

    test('works with the cookie of a Session that has ended', async () => {
      expect(await login({ username: 'ada', password }, { session: 'ended' })).toMatchObject({ status: 200 })
    })

    test.each([
      [401, 'bad-credentials', { username: 'ada', password: 'wrong' }],
      [401, 'bad-credentials', { username: 'nobody', password }],
      [422, 'validation-failed', { username: 'ada' }],
      [422, 'validation-failed', { username: 'ada', password, remember: true }],
      [422, 'validation-failed', { username: 'a\0', password }],
      [422, 'validation-failed', { username: 'ada', password: 'x'.repeat(5000) }],
      [422, 'validation-failed', { username: ['ada'], password }],
      [400, 'invalid-request', '{"username":'],
    ])('is %i %s for %j', async (status, code, body) => {
      expect(await login(body, { ip: '192.0.2.77' })).toMatchObject({ status, json: { code } })
    })

    test.each([
      ['another site says the browser', { 'Sec-Fetch-Site': 'cross-site' }],
      ['a sibling site says the browser', { 'Sec-Fetch-Site': 'same-site' }],
      ['another origin says the browser', { Origin: 'https://evil.example' }],
      ['no origin at all', { Origin: 'null' }],
    ])('is 403 from %s', async (_, headers) => {
      expect(await login({ username: 'ada', password }, { headers })).toMatchObject({
        status: 403,
        json: { code: 'csrf-token-invalid' },
      })
    })

    test('is 429 with Retry-After once throttled', async () => {
      await givenUser(world, 'guessed')
      for (let i = 0; i < 10; i++) await login({ username: 'guessed', password: 'x' }, { ip: '192.0.2.78' })
      const { status, headers, json } = await login(
        { username: 'Guessed', password: 'x' },
        { ip: '192.0.2.79' },
      )
      expect({ status, code: json?.['code'], wait: headers.get('retry-after') }).toEqual({
        ...{ status: 429, code: 'throttled', wait: '900' },
      })
    })

    test('requests without credentials never count', async () => {
      const ip = '192.0.2.80'
      for (let i = 0; i < 60; i++) await call('GET', `${base}/me/tokens`, { ip })
      expect(await login({ username: 'ada', password }, { ip })).toMatchObject({ status: 200 })
    })
  })

  describe('state changes of a Session', () => {
    const change = (more: Call) => call('PATCH', `${base}/me`, { session: ada.secret, body: {}, ...more })

    test('need the CSRF token of this Session', async () => {
      const other = world.deps.secrets.csrfFor('another-session')
      for (const wrong of ['', 'x', other, csrf.slice(1), `${csrf}A`])
        expect(await change({ csrf: wrong })).toMatchObject({
          status: 403,
          json: { code: 'csrf-token-invalid' },
        })
      expect(await change({ csrf })).toMatchObject({ status: 200 })
    })

    test('and come from our own pages', async () => {
      const from = (headers: Record<string, string>) => change({ csrf, headers })
      expect(await from({ 'Sec-Fetch-Site': 'cross-site' })).toMatchObject({ status: 403 })
      expect(await from({ Origin: 'https://evil.example' })).toMatchObject({ status: 403 })
      expect(await from({ 'Sec-Fetch-Site': 'same-origin', Origin: origin })).toMatchObject({ status: 200 })
      expect(await from({ Origin: origin })).toMatchObject({ status: 200 })
    })

    test('a bearer Token needs neither, and the cookie beside it is ignored', async () => {
      expect(await change({ bearer: token })).toMatchObject({ status: 200 })
    })
  })

  describe('PATCH /me', () => {
    const patch = (body: unknown) => call('PATCH', `${base}/me`, { bearer: token, body })

    test('changes what is named', async () => {
      expect(await patch({ display_name: 'Ada Lovelace', email: 'new@example.org' })).toMatchObject({
        status: 200,
        json: { display_name: 'Ada Lovelace', email: 'ada@example.org', pending_email: 'new@example.org' },
      })
    })

    test.each([
      ['display_name', { display_name: 'x'.repeat(101) }],
      ['display_name', { display_name: 'é'.repeat(51) }],
      ['display_name', { display_name: 'a\nb' }],
      ['display_name', { display_name: null }],
      ['email', { email: 'nonsense' }],
      ['is_admin', { is_admin: true }],
      ['username', { username: 'root' }],
    ])('is 422 naming %s for %j', async (field, body) => {
      expect(await patch(body)).toMatchObject({ status: 422, json: { errors: [{ field }] } })
    })

    test('takes a display name of exactly 100 bytes', async () => {
      expect(await patch({ display_name: 'é'.repeat(50) })).toMatchObject({ status: 200 })
    })

    test('is 409 for the address of another user', async () => {
      await givenUser(world, 'owner', { email: 'owned@example.org' })
      expect(await patch({ email: 'Owned@example.org' })).toMatchObject({
        status: 409,
        json: { code: 'email-taken' },
      })
    })

    test.each([
      ['nobody', {}, 401, 'unauthenticated'],
      ['a read Token', { scopes: ['read' as const] }, 403, 'insufficient-scope'],
      ['a fenced Token', { fence: { namespaces: ['ada'] } }, 403, 'forbidden'],
    ])('is refused to %s', async (who, more, status, code) => {
      const bearer = who === 'nobody' ? {} : { bearer: (await givenToken(world, ada, more)).secret }
      expect(await call('PATCH', `${base}/me`, { ...bearer, body: {} })).toMatchObject({
        status,
        json: { code },
      })
    })
  })

  describe('POST /me/password', () => {
    const post = (more: Call, current = password, fresh = 'brisk-heron-vault-17') =>
      call('POST', `${base}/me/password`, {
        body: { current_password: current, new_password: fresh },
        ...more,
      })

    test('is 403 for every Token', async () => {
      expect(await post({ bearer: token })).toMatchObject({ status: 403, json: { code: 'session-required' } })
    })

    test('names the faulty field: 403 for the present password, 422 for the new one', async () => {
      const me = { session: ada.secret, csrf }
      expect(await post(me, 'wrong')).toMatchObject({
        status: 403,
        json: { errors: [{ field: 'current_password' }] },
      })
      expect(await post(me, password, 'short')).toMatchObject({
        status: 422,
        json: { errors: [{ field: 'new_password' }] },
      })
    })

    test('is 204 when done', async () => {
      const user = await givenUser(world, 'changer', { passwordHash: await hashPassword(password) })
      const own = user.auth.kind === 'session' ? world.deps.secrets.csrfFor(user.auth.sessionId) : ''
      expect(await post({ session: user.secret, csrf: own })).toMatchObject({ status: 204, text: '' })
    })
  })

  test('POST /auth/logout ends the Session and takes the cookie away; a Token has none to end', async () => {
    const user = await givenUser(world, 'leaver')
    const own = user.auth.kind === 'session' ? world.deps.secrets.csrfFor(user.auth.sessionId) : ''
    const out = await call('POST', `${base}/auth/logout`, { session: user.secret, csrf: own })
    expect(out).toMatchObject({ status: 204, text: '' })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await call('GET', `${base}/me`, { session: user.secret })).toMatchObject({ status: 401 })
    expect(await call('POST', `${base}/auth/logout`, { bearer: token })).toMatchObject({ status: 403 })
    expect(await call('POST', `${base}/auth/logout`)).toMatchObject({ status: 401 })
  })

  test('GET /auth/providers is public', async () => {
    expect(await call('GET', `${base}/auth/providers`)).toMatchObject({
      status: 200,
      json: { local: true, registration: 'closed', providers: [] },
    })
  })

  describe('Sessions and Tokens', () => {
    test('a list marks the Session that asks', async () => {
      const { json } = await call('GET', `${base}/me/sessions?limit=500`, { session: ada.secret })
      const items = json?.['items'] as { current: boolean }[]
      expect(items.length).toBeGreaterThan(1)
      expect(items.filter((item) => item.current).length).toBe(1)
      expect(json?.['next_cursor']).toBe('')
    })

    test('a Token is created with its secret and a Location, and listed without', async () => {
      const body = { name: 'ci', scopes: ['read'], repos: [{ type: 'model', ns: 'acme', name: 'x' }] }
      const made = await call('POST', `${base}/me/tokens`, { session: ada.secret, csrf, body })
      const { secret, id } = made.json as { secret: string; id: string }
      expect(made.status).toBe(201)
      expect(made.headers.get('location')).toBe(`${base}/me/tokens/${id}`)
      expect(await call('GET', `${base}/me`, { bearer: secret })).toMatchObject({ status: 200 })
      const list = await call('GET', `${base}/me/tokens?limit=500`, { session: ada.secret })
      expect(list.text).toContain(id)
      expect(list.text).not.toContain(secret)
      expect(await call('DELETE', `${base}/me/tokens/${id}`, { session: ada.secret, csrf })).toMatchObject({
        status: 204,
      })
      expect(await call('GET', `${base}/me`, { bearer: secret })).toMatchObject({ status: 401 })
    })

    test.each([
      ['scopes', { name: 'x', scopes: [] }],
      ['scopes.0', { name: 'x', scopes: ['root'] }],
      ['scopes', { name: 'x', scopes: ['read', 'read'] }],
      ['name', { name: '', scopes: ['read'] }],
      ['repos', { name: 'x', scopes: ['read'], repos: [] }],
      ['namespaces.0', { name: 'x', scopes: ['read'], namespaces: ['a\0'] }],
      ['expires_at', { name: 'x', scopes: ['read'], expires_at: 'tomorrow' }],
      ['expires_at', { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }],
      ['user_id', { name: 'x', scopes: ['read'], user_id: 'me' }],
    ])('creating a Token is 422 naming %s for %j', async (field, body) => {
      expect(await call('POST', `${base}/me/tokens`, { bearer: token, body })).toMatchObject({
        status: 422,
        json: { errors: [{ field }] },
      })
    })

    test('a cursor works for the list and user it was made for alone', async () => {
      await givenToken(world, ada)
      const page = await call('GET', `${base}/me/tokens?limit=1`, { bearer: token })
      const cursor = encodeURIComponent(String(page.json?.['next_cursor']))
      expect(
        await call('GET', `${base}/me/tokens?limit=1&cursor=${cursor}`, { bearer: token }),
      ).toMatchObject({ status: 200 })
      const other = await givenToken(world, await givenUser(world, 'peeker'))
      for (const [path, bearer] of [
        [`/me/tokens?cursor=${cursor}`, other.secret],
        [`/me/sessions?cursor=${cursor}`, token],
        ['/me/tokens?cursor=forged', token],
      ] as const)
        expect(await call('GET', base + path, { bearer })).toMatchObject({
          status: 400,
          json: { code: 'invalid-cursor' },
        })
    })

    test.each(['0', '501', 'x', '-1', '1.5'])('limit=%s is 422', async (limit) => {
      expect(await call('GET', `${base}/me/tokens?limit=${limit}`, { bearer: token })).toMatchObject({
        status: 422,
        json: { errors: [{ field: 'query.limit' }] },
      })
    })

    test.each(['sessions', 'tokens'])('an id that is nobody’s or malformed is 404 (%s)', async (room) => {
      for (const id of ['00000000-0000-7000-8000-000000000000', 'x', 'a%00'])
        expect(await call('DELETE', `${base}/me/${room}/${id}`, { bearer: token })).toMatchObject({
          status: 404,
        })
    })
  })

  describe('device login', () => {
    const form = (path: string, fields: Record<string, string>, ip = '192.0.2.90') =>
      call('POST', path, {
        body: new URLSearchParams(fields).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        ip,
      })
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

    test('runs from the code to a Token that works', async () => {
      const begun = await form('/oauth/device', { client_id: hfClientId })
      const { device_code = '', user_code = '' } = begun.json as Record<string, string>
      expect(begun).toMatchObject({ status: 200 })
      expect(begun.json).toEqual({
        device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
        user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
        verification_uri: `${origin}/device`,
        verification_uri_complete: `${origin}/device?code=${user_code}`,
        expires_in: 900,
        interval: 5,
      })
      const poll = () => form('/oauth/token', { grant_type, device_code, client_id: hfClientId })
      expect(await poll()).toMatchObject({ status: 400, json: { error: 'authorization_pending' } })
      const shown = await call('GET', `${base}/me/device?user_code=${user_code}`, { session: ada.secret })
      expect(shown).toMatchObject({ status: 200, json: { user_code, scopes: ['write'], ip: '192.0.2.90' } })
      const decide = (headers: Call) =>
        call('POST', `${base}/me/device`, { ...headers, body: { user_code, decision: 'approve' } })
      expect(await decide({ session: ada.secret })).toMatchObject({
        status: 403,
        json: { code: 'csrf-token-invalid' },
      })
      expect(await decide({ session: ada.secret, csrf })).toMatchObject({ status: 204 })
      const done = await poll()
      expect(done).toMatchObject({ status: 200, json: { token_type: 'bearer' } })
      expect(done.headers.get('cache-control')).toBe('no-store')
      const bearer = String(done.json?.['access_token'])
      expect(bearer).toMatch(/^hf_asl_/)
      expect(await call('GET', `${base}/me`, { bearer })).toMatchObject({
        status: 200,
        json: { username: 'Ada' },
      })
      expect(await poll()).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    })

    test.each([
      ['/oauth/device', {}, 'invalid_request'],
      ['/oauth/device', { client_id: 'another' }, 'invalid_client'],
      ['/oauth/token', {}, 'invalid_request'],
      ['/oauth/token', { grant_type, client_id: hfClientId }, 'invalid_request'],
      ['/oauth/token', { grant_type, device_code: 'x', client_id: 'another' }, 'invalid_client'],
      ['/oauth/token', { grant_type, device_code: 'x', client_id: hfClientId }, 'invalid_grant'],
      ['/oauth/token', { grant_type: 'refresh_token', client_id: hfClientId }, 'unsupported_grant_type'],
      [
        '/oauth/token',
        { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
        'unsupported_grant_type',
      ],
    ])('%s with %j is 400 %s, in JSON', async (path, fields, error) => {
      const answer = await form(path, fields as Record<string, string>)
      expect(answer).toMatchObject({ status: 400, json: { error } })
      expect(answer.json?.['error_description']).toBeTypeOf('string')
    })

    test('a body that is no form is 400 in JSON, and so is a huge one', async () => {
      const json = await call('POST', '/oauth/token', { body: { grant_type } })
      expect(json).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
      expect(await form('/oauth/token', { grant_type: 'x'.repeat(20_000) })).toMatchObject({
        status: 400,
        json: { error: 'invalid_request' },
      })
    })

    test('polls too soon are told to slow down, and a denial is told', async () => {
      const { device_code = '', user_code = '' } = (await form('/oauth/device', { client_id: hfClientId }))
        .json as Record<string, string>
      const poll = () => form('/oauth/token', { grant_type, device_code, client_id: hfClientId })
      await poll()
      expect(await poll()).toMatchObject({ status: 400, json: { error: 'slow_down' } })
      await call('POST', `${base}/me/device`, { bearer: token, body: { user_code, decision: 'deny' } })
      expect(await poll()).toMatchObject({ status: 400, json: { error: 'access_denied' } })
    })

    test('an unknown code is 404, a malformed decision 422', async () => {
      expect(await call('GET', `${base}/me/device?user_code=BBBB-BBBB`, { bearer: token })).toMatchObject({
        status: 404,
      })
      expect(await call('GET', `${base}/me/device`, { bearer: token })).toMatchObject({ status: 422 })
      const body = { user_code: 'BBBB-BBBB', decision: 'maybe' }
      expect(await call('POST', `${base}/me/device`, { bearer: token, body })).toMatchObject({ status: 422 })
    })
  })
})
