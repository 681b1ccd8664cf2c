import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { hashPassword } from './passwords.ts'
import { base, client, origin, password, type Call } from './testing.ts'

eachDatabase('sign-in and CSRF over HTTP', (world) => {
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

  describe('POST /auth/login', () => {
    const login = (body: unknown, more: Call = {}) => call('POST', `${base}/auth/login`, { body, ...more })

    test('sets the cookie as the specification has it, and answers Me', async () => {
      const { status, headers, json } = await login({ username: 'ada', password })
      expect({ status, username: json?.['username'] }).toEqual({ status: 200, username: 'Ada' })
      expect(headers.get('set-cookie')).toMatch(
        /^service_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      )
    })

    test('works with the cookie of a session that has ended', async () => {
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
        { ip: '192.0.2.78' },
      )
      expect({ status, code: json?.['code'], wait: headers.get('retry-after') }).toEqual({
        status: 429,
        code: 'throttled',
        wait: '900',
      })
    })

    test('requests without credentials never count', async () => {
      const ip = '192.0.2.80'
      for (let i = 0; i < 60; i++) await call('GET', `${base}/me/tokens`, { ip })
      expect(await login({ username: 'ada', password }, { ip })).toMatchObject({ status: 200 })
    })
  })

  describe('state changes of a session', () => {
    const change = (more: Call) => call('PATCH', `${base}/me`, { session: ada.secret, body: {}, ...more })

    test('need the CSRF token of this session', async () => {
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

    test('a bearer token needs neither, and the cookie beside it is ignored', async () => {
      expect(await change({ bearer: token })).toMatchObject({ status: 200 })
    })
  })
})
