import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { hashPassword } from './passwords.ts'
import { base, client, password, type Call } from './testing.ts'

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
    test('is 204 without a body when no user is signed in', async () => {
      expect(await call('GET', `${base}/me`)).toMatchObject({ status: 204, text: '' })
    })

    test('tells a session who it is, and its CSRF token', async () => {
      const { status, json } = await call('GET', `${base}/me`, { session: ada.secret })
      expect(status).toBe(200)
      expect(json).toEqual({
        id: ada.id,
        username: 'Ada',
        display_name: 'Ada',
        email: 'ada@example.org',
        email_verified: true,
        avatar_url: '/avatars/Ada.svg',
        is_admin: false,
        has_password: true,
        password_generated: false,
        second_factor: { passkeys: 0, recovery_codes_left: 0, is_missing: false },
        identities: [],
        orgs: [],
        default_visibility: 'public',
        csrf_token: csrf,
        created_at: '2026-03-01T12:00:00.000Z',
        auth: { kind: 'session', scopes: ['read', 'write'], expires_at: '2026-03-31T12:00:00.000Z' },
      })
    })

    test('tells a token what it may do, and no CSRF token', async () => {
      const { json } = await call('GET', `${base}/me`, { bearer: token })
      expect(json).toMatchObject({ auth: { kind: 'token', token_name: 'laptop', scopes: ['write'] } })
      expect(json).not.toHaveProperty('csrf_token')
    })

    test('works with a fenced token', async () => {
      const { secret } = await givenToken(world, ada, { scopes: ['read'], fence: { namespaces: ['x'] } })
      expect(await call('GET', `${base}/me`, { bearer: secret })).toMatchObject({ status: 200 })
    })

    test.each([
      ['a wrong bearer token', { bearer: 'hf_wrong' }],
      ['an unknown scheme', { headers: { Authorization: 'Digest abc' } }],
      ['basic credentials', { headers: { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } }],
      ['a session that does not exist', { session: 'nothing' }],
      ['a wrong bearer token beside a good session', { bearer: 'hf_wrong', session: 'ada' }],
    ])('is 401 for %s', async (_, credentials: Call) => {
      const session = credentials.session === 'ada' ? { session: ada.secret } : {}
      const { status, json, headers } = await call('GET', `${base}/me`, { ...credentials, ...session })
      expect({ status, code: json?.['code'] }).toEqual({ status: 401, code: 'bad-credentials' })
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(headers.get('www-authenticate')).toContain('Bearer')
    })

    test('is 401 once for a session that has ended, and takes its cookie away', async () => {
      const { headers } = await call('GET', `${base}/me`, { session: 'nothing' })
      expect(headers.get('set-cookie')).toMatch(
        /^service_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/,
      )
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
      ['a read token', { scopes: ['read' as const] }, 403, 'insufficient-scope'],
      ['a fenced token', { fence: { namespaces: ['ada'] } }, 403, 'forbidden'],
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

    test('is 403 for every token', async () => {
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

  test('POST /auth/logout ends the session and takes the cookie away; a token has none to end', async () => {
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
})
