import { desc, eq } from 'drizzle-orm'
import { createHmac, createPublicKey, hash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignJWT } from 'jose'
import { eachDatabase } from '../../../testing.ts'
import { refusals, type RefusalReason } from './refused.ts'
import { appWith, attempt, givenProvider, type Attempt, type Outcome, type TestProvider } from './testing.ts'

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (header: object, claims: object) => `${base64(header)}.${base64(claims)}.`

eachDatabase('a hostile provider, or somebody between', (world) => {
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

  const server = (more: object = {}) =>
    appWith(world, [
      { id: 'idp', issuer: idp.issuer, auto_create_users: true, ...more },
      { id: 'other', issuer: other.issuer, auto_create_users: true },
    ])
  const lastRefusal = async () => {
    const { q, t } = world.db
    const [row] = await q.select().from(t.audit).orderBy(desc(t.audit.id)).limit(1)
    return row
  }
  /** A page that says what to do, no session, and one row of the audit with the reason; answers the row. */
  const expectRefusal = async (
    refusing: () => Promise<Pick<Outcome, 'status' | 'text' | 'session' | 'headers'>>,
    reason: RefusalReason,
    provider = 'idp',
  ) => {
    const { q, t } = world.db
    const before = await q.$count(t.audit)
    const { status, text, session, headers } = await refusing()
    const [expected, title, fix] = refusals[reason]
    expect({ status, session, location: headers.get('location') }).toEqual({
      status: expected,
      session: undefined,
      location: null,
    })
    expect(headers.get('content-type')).toContain('text/html')
    for (const words of [title, fix, 'Request id: ', 'href="/login"']) expect(text).toContain(words)
    expect(text).not.toMatch(/<script|<img/)
    expect(await q.$count(t.audit)).toBe(before + 1)
    const row = await lastRefusal()
    expect(row).toMatchObject({ action: 'login.fail', outcome: 'refused', after: { provider, reason } })
    expect(text).toContain(String(row?.request_id))
    return row
  }
  const seconds = () => Math.floor(world.clock.now.getTime() / 1000)
  const hs256 = (claims: object, secret: string | Buffer) => {
    const text = `${base64({ alg: 'HS256', kid: idp.jwk.kid })}.${base64(claims)}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const pem = () =>
    createPublicKey({ key: idp.jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })

  const tokens: Record<string, (how: { now: number }) => Attempt> = {
    'has alg none': () => ({ idToken: (claims) => unsigned({ alg: 'none' }, claims) }),
    'has alg NONE': () => ({ idToken: (claims) => unsigned({ alg: 'NONE' }, claims) }),
    'is signed HS256 with the public key': () => ({ idToken: (claims) => hs256(claims, pem()) }),
    'is signed HS256 with the client secret': () => ({ idToken: (claims) => hs256(claims, 's3cret/+') }),
    'is signed by another key under our key id': () => ({
      idToken: (claims) => other.sign(claims as never, { kid: idp.jwk.kid }),
    }),
    'brings its own key': () => ({
      idToken: (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'x', jwk: other.jwk as never })
          .sign(other.key),
    }),
    'is signed with an algorithm that is not offered': () => ({
      idToken: (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS512', kid: idp.jwk.kid as string })
          .sign(other.key)
          .catch(() => unsigned({ alg: 'RS512' }, claims)),
    }),
    'names another issuer': () => ({ claims: { iss: 'https://evil.example' } }),
    'names another audience': () => ({ claims: { aud: 'somebody-else' } }),
    'names two audiences and no azp': () => ({ claims: { aud: ['arsenal', 'other'] } }),
    'names another azp': () => ({ claims: { azp: 'other' } }),
    'has another nonce': () => ({ claims: { nonce: 'guessed' } }),
    'has no nonce': () => ({ claims: { nonce: undefined } }),
    'has no subject': () => ({ claims: { sub: undefined } }),
    'has an empty subject': () => ({ claims: { sub: '' } }),
    'has a subject with a NUL': () => ({ claims: { sub: 'a\0b' } }),
    'has a subject that is a number': () => ({ claims: { sub: 7 } }),
    'has a subject too long': () => ({ claims: { sub: 'x'.repeat(256) } }),
    'expired five minutes ago': ({ now }) => ({ claims: { iat: now - 900, exp: now - 300 } }),
    'is of five minutes from now': ({ now }) => ({ claims: { iat: now + 300, exp: now + 900 } }),
    'is not valid for five minutes': ({ now }) => ({ claims: { nbf: now + 300 } }),
    'has no end': () => ({ claims: { exp: undefined } }),
    'has no beginning': () => ({ claims: { iat: undefined } }),
    'has another at_hash': () => ({ claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
    'is no token': () => ({ idToken: () => '<script>alert(1)</script>' }),
    'has userinfo of another subject': () => ({ claims: { email: undefined }, userinfo: { sub: 'victim' } }),
  }

  test.each(Object.entries(tokens))(
    'an ID token that %s is refused with a page and a row',
    async (_, how) => {
      const ip = `198.51.100.${n++}`
      const given = how({ now: seconds() })
      const row = await expectRefusal(
        () => attempt(server(), idp, 'idp', `hostile-${n}`, { ip, ...given }),
        'wrong-answer',
      )
      expect(row).toMatchObject({ ip, after: { fault: expect.stringMatching(/./) as string } })
      const { identities } = world.db.t
      expect(await world.db.q.$count(identities, eq(identities.subject, `hostile-${n}`))).toBe(0)
    },
  )

  test('names with control characters and in other scripts are stored as plain text', async () => {
    const claims = { preferred_username: 'a\0b\n', name: 'x\0y', groups: ['g\0'], sid: 's\0' }
    const to = server({ admin_groups: ['g'] })
    expect(await attempt(to, idp, 'idp', `nul-${n++}`, { claims })).toMatchObject({ status: 303 })
    const stranger = { ...claims, preferred_username: '\0\u202e漢字' }
    const closed = server({ auto_create_users: false })
    expect(await attempt(closed, idp, 'idp', `nul-${n++}`, { claims: stranger })).toMatchObject({
      status: 403,
    })
    const path = `/auth/oidc/${encodeURIComponent('a\0b')}/start`
    expect((await closed.app.request(path)).status).toBe(404)
  })

  test('clocks may differ by a minute, and a right at_hash and azp pass', async () => {
    const half = hash('sha256', 'at', 'buffer').subarray(0, 16).toString('base64url')
    const now = seconds()
    for (const claims of [
      { iat: now + 55, nbf: now + 55 },
      { iat: now - 400, exp: now - 55 },
      { at_hash: half, azp: 'arsenal', aud: ['arsenal', 'x'] },
    ])
      expect(await attempt(server(), idp, 'idp', `clock-${n++}`, { claims })).toMatchObject({ status: 303 })
  })

  test('the state, the cookie and the provider must be those of this browser', async () => {
    const to = server()
    const stale = await attempt(to, idp, 'idp', 'flow', { ip: '203.0.113.1' })
    const ip = '203.0.113.2'
    const refused = (how: Attempt, reason: RefusalReason = 'not-started', provider = 'idp') =>
      expectRefusal(() => attempt(to, idp, 'idp', 'flow', { ip, ...how }), reason, provider)
    await refused({ callback: { state: 'guessed' } })
    await refused({ cookie: 'x' })
    await refused({ cookie: stale.cookie })
    // Mix-up: the answer to one provider's question arrives as another's.
    await refused({ backTo: 'other' }, 'not-started', 'other')
    // The same cookie and state a second time.
    const again = { cookie: stale.cookie, callback: { state: stale.asked.get('state') ?? '' } }
    await refused({ ...again, claims: { nonce: stale.asked.get('nonce') } }, 'already-finished')
  })

  test('a sign-in that takes longer than ten minutes is over', async () => {
    const to = server()
    const begun = await attempt(to, idp, 'idp', 'late', { ip: '203.0.113.4', callback: { state: 'later' } })
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 10 * 60_000)
    await expectRefusal(async () => {
      const path = `/auth/oidc/idp/callback?code=c&state=${begun.asked.get('state')}`
      const answer = await to.app.request(path, { headers: { Cookie: `service_sign_in=${begun.cookie}` } })
      const { status, headers } = answer
      return { status, headers, text: await answer.text(), session: undefined }
    }, 'not-started')
    world.clock.now = before
  })

  test('an answer that names another issuer is refused, and none where the provider promises one', async () => {
    const ip = '203.0.113.5'
    const mixed = (callback: Record<string, string> = {}) =>
      expectRefusal(() => attempt(server(), idp, 'idp', 'mix', { ip, callback }), 'wrong-answer')
    expect(await mixed({ iss: other.issuer })).toMatchObject({
      after: { fault: 'the answer comes from another issuer' },
    })
    idp.document['authorization_response_iss_parameter_supported'] = true
    await mixed()
    expect(await attempt(server(), idp, 'idp', 'mix', { ip, callback: { iss: idp.issuer } })).toMatchObject({
      status: 303,
    })
  })

  test('an error of the provider is a page that echoes nothing', async () => {
    const callback = { error: 'access_denied<img>', error_description: '<script>alert(1)</script>' }
    let page = ''
    const denied = async () => {
      const outcome = await attempt(server(), idp, 'idp', 'denied', { ip: '203.0.113.6', callback })
      page = outcome.text
      return outcome
    }
    expect(await expectRefusal(denied, 'denied-by-provider')).toMatchObject({
      after: { fault: 'access_denied img ' },
    })
    expect(page).not.toContain('access_denied')
  })

  const documents: Record<string, (from: TestProvider) => void> = {
    'redirects to an address of the cloud': ({ answers }) => {
      answers['/.well-known/openid-configuration'] = () => ({
        status: 302,
        headers: { Location: 'http://169.254.169.254/latest/meta-data' },
      })
    },
    'names a key set in a private network': ({ document }) => {
      document['jwks_uri'] = 'http://10.0.0.1/keys'
    },
    'names a token endpoint on loopback': ({ document }) => {
      document['token_endpoint'] = 'http://127.0.0.1:1/token'
    },
    'names another issuer': ({ document }) => {
      document['issuer'] = 'https://evil.example'
    },
    'names an endpoint that runs script': ({ document }) => {
      document['authorization_endpoint'] = 'javascript:alert(1)'
    },
    'is no JSON': ({ answers }) => {
      answers['/.well-known/openid-configuration'] = () => ({ body: '<html>' })
    },
    'is endless': ({ answers }) => {
      answers['/.well-known/openid-configuration'] = () => ({ body: 'x'.repeat(2_000_000) })
    },
    'is missing': ({ answers }) => {
      delete answers['/.well-known/openid-configuration']
    },
    'is fine, but the token endpoint fails': ({ document, issuer }) => {
      document['token_endpoint'] = `${issuer}/broken`
    },
    'is fine, but the keys are gone': ({ answers }) => {
      delete answers['/keys']
    },
    'is fine, but the keys are no key set': ({ answers }) => {
      answers['/keys'] = () => ({ body: { keys: 'none' } })
    },
  }
  /** These are answered "retry"; the others need an admin. */
  const isDown = new Set([
    'redirects to an address of the cloud',
    'is missing',
    'is endless',
    'names a key set in a private network',
    'names a token endpoint on loopback',
    'is fine, but the token endpoint fails',
    'is fine, but the keys are gone',
  ])
  test.each(Object.entries(documents))(
    'a provider whose document %s is said to be out of order',
    async (what, spoil) => {
      spoil(idp)
      const ip = `203.0.113.${20 + n}`
      const row = await expectRefusal(
        () => attempt(server(), idp, 'idp', `down-${n++}`, { ip }),
        isDown.has(what) ? 'provider-down' : 'provider-misconfigured',
      )
      expect(row).toMatchObject({ after: { fault: expect.stringMatching(/./) as string } })
    },
  )

  test('a provider that is down leaves the other one working, and comes back by itself', async () => {
    const to = server()
    const { issuer } = idp
    idp.answers['/.well-known/openid-configuration'] = () => ({ status: 503 })
    expect(await attempt(to, idp, 'idp', 'patient', { ip: '203.0.113.60' })).toMatchObject({ status: 502 })
    expect(await attempt(to, other, 'other', 'patient', { ip: '203.0.113.60' })).toMatchObject({
      status: 303,
    })
    const asked = idp.asked.length
    await attempt(to, idp, 'idp', 'patient', { ip: '203.0.113.60' })
    expect(idp.asked).toHaveLength(asked)
    world.clock.now = new Date(world.clock.now.getTime() + 5_000)
    idp.answers['/.well-known/openid-configuration'] = () => ({
      body: {
        issuer,
        authorization_endpoint: `${issuer}/a`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      },
    })
    expect(await attempt(to, idp, 'idp', 'patient', { ip: '203.0.113.60' })).toMatchObject({ status: 303 })
  })

  test('a provider that stops between question and answer is a page, and the other one works', async () => {
    const to = server()
    const begin = async () => {
      const begun = await to.app.request('/auth/oidc/idp/start')
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
      const [, cookie] = /service_sign_in=([^;]+)/.exec(begun.headers.get('set-cookie') ?? '') ?? []
      return { path: `/auth/oidc/idp/callback?code=c&state=${state}`, cookie: `service_sign_in=${cookie}` }
    }
    const { path, cookie } = await begin()
    await idp.close()
    const finish = async () => {
      const answer = await to.app.request(path, { headers: { Cookie: cookie } })
      expect(answer.headers.get('set-cookie')).toContain('service_sign_in=; Max-Age=0')
      const session = answer.headers.getSetCookie().find((line) => line.startsWith('service_session='))
      return { status: answer.status, headers: answer.headers, text: await answer.text(), session }
    }
    const row = await expectRefusal(finish, 'provider-down')
    expect(row).toMatchObject({ after: { fault: expect.stringMatching(/./) as string } })
    expect(await attempt(to, other, 'other', 'beside', { ip: '203.0.113.62' })).toMatchObject({ status: 303 })
  })

  test('keys that were rotated are read again, at most once a minute', async () => {
    const to = server()
    const sign = () => attempt(to, idp, 'idp', 'rotating', { ip: '203.0.113.61' })
    const reads = () => idp.asked.filter((path) => path === '/keys').length
    expect(await sign()).toMatchObject({ status: 303 })
    await idp.rotate()
    expect(await sign()).toMatchObject({ status: 403 })
    expect(reads()).toBe(1)
    world.clock.now = new Date(world.clock.now.getTime() + 60_000)
    expect(await sign()).toMatchObject({ status: 303 })
    expect(await sign()).toMatchObject({ status: 303 })
    expect(reads()).toBe(2)
  })

  test('who is refused fifty times waits, and no row is written meanwhile', async () => {
    const to = server()
    const ip = '203.0.113.70'
    const env = { incoming: { socket: { remoteAddress: ip } } }
    const knock = () => to.app.request('/auth/oidc/idp/callback?code=c&state=s', {}, env)
    for (let i = 0; i < 50; i++) expect((await knock()).status).toBe(400)
    const last = await lastRefusal()
    const answer = await knock()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await lastRefusal())?.id).toBe(last?.id)
    expect(await attempt(to, idp, 'idp', 'neighbour', { ip: '203.0.113.71' })).toMatchObject({ status: 303 })
  })

  test('a provider that is not configured has no page to begin at', async () => {
    const answer = await server().app.request(`/auth/oidc/${randomBytes(4).toString('hex')}/start`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('There is no such sign-in provider')
  })
})
