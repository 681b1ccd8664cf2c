import { exportJWK, generateKeyPair } from 'jose'
import { hash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import { appWith, attempt, givenProvider, type TestProvider } from './testing.ts'

const dayMs = 24 * 3_600_000

eachDatabase('this server as a client of providers', (world) => {
  let idp: TestProvider
  let n = 0
  let ip = ''
  beforeEach(async () => {
    idp = await givenProvider()
    ip = `192.0.2.${100 + n++}`
  })
  afterEach(() => idp.close())

  const server = (more: object = {}) =>
    appWith(world, [{ id: 'idp', issuer: idp.issuer, auto_create_users: true, ...more }])
  const sign = (to = server(), how: object = {}) => attempt(to, idp, 'idp', `client-${n}`, { ip, ...how })
  const decoded = (authorization = '') =>
    Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()

  test('without a secret it names itself in the form, and sends the verifier alone', async () => {
    const { status, form, authorization } = await sign(server({ client_secret: '' }))
    expect(status).toBe(303)
    expect(authorization).toBeUndefined()
    expect(form?.get('client_id')).toBe('arsenal')
    expect(form?.has('client_secret')).toBe(false)
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })

  test('with client_secret_post alone, the secret is in the form', async () => {
    idp.document['token_endpoint_auth_methods_supported'] = ['client_secret_post']
    const { status, form, authorization } = await sign()
    expect([status, authorization]).toEqual([303, undefined])
    expect([form?.get('client_id'), form?.get('client_secret')]).toEqual(['arsenal', 's3cret/+'])
  })

  test.each([[undefined], [['client_secret_basic']], [['client_secret_post', 'client_secret_basic']]])(
    'with %j the secret is in the header, form-encoded, and not in the form',
    async (methods) => {
      if (methods) idp.document['token_endpoint_auth_methods_supported'] = methods
      const { status, form, authorization } = await sign()
      expect([status, decoded(authorization)]).toEqual([303, 'arsenal:s3cret%2F%2B'])
      expect([form?.has('client_id'), form?.has('client_secret')]).toEqual([false, false])
    },
  )

  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
    'an ID token signed %s is taken where the provider offers that, and refused where it does not',
    async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
      idp.key = privateKey
      idp.jwk = { ...(await exportJWK(publicKey)), kid: `key-${alg}`, alg, use: 'sig' }
      const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', 'at', 'buffer')
      const atHash = digest.subarray(0, digest.length / 2).toString('base64url')
      const idToken = (claims: Record<string, unknown>) => idp.sign({ ...claims, at_hash: atHash }, { alg })
      idp.document['id_token_signing_alg_values_supported'] = [alg]
      expect(await sign(server(), { idToken })).toMatchObject({ status: 303 })
      idp.document['id_token_signing_alg_values_supported'] = [alg === 'RS256' ? 'ES256' : 'RS256']
      expect(await sign(server(), { idToken })).toMatchObject({ status: 403, session: undefined })
    },
  )

  test('the discovery document is read once a day', async () => {
    const to = server()
    const before = world.clock.now
    const reads = () => idp.asked.filter((path) => path === '/.well-known/openid-configuration').length
    const beginsAt = async () => {
      const { headers } = await to.app.request('/auth/oidc/idp/start')
      return new URL(headers.get('location') ?? '').pathname
    }
    expect(await beginsAt()).toBe('/authorize')
    idp.document['authorization_endpoint'] = `${idp.issuer}/moved`
    world.clock.now = new Date(before.getTime() + dayMs - 1)
    expect([await beginsAt(), reads()]).toEqual(['/authorize', 1])
    world.clock.now = new Date(before.getTime() + dayMs)
    expect([await beginsAt(), reads()]).toEqual(['/moved', 2])
    world.clock.now = before
  })
})
