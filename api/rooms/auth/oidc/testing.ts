import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import type { Config } from '../../../platform/config/index.ts'
import type { Deps } from '../../../core/ctx.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { frame, nativeSurface } from '../../../surfaces/server/frame.ts'
import { testConfig, type World } from '../../../testing.ts'
import { mountAuth } from '../handlers.ts'
import { mountOidc } from './handlers.ts'

type Json = Record<string, unknown>
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** A provider on loopback that answers whatever a test wants, with keys of its own. */
export interface TestProvider {
  readonly issuer: string
  /** Paths that were asked for. */
  readonly asked: string[]
  /** Takes the place of what a path is answered. */
  readonly answers: Record<
    string,
    (form: URLSearchParams, headers: IncomingHttpHeaders) => Answer | Promise<Answer>
  >
  /** Members put over those of the discovery document. */
  readonly document: Json
  key: CryptoKey
  jwk: JWK
  /** Makes a fresh key under a fresh id. */
  rotate(kid?: string): Promise<void>
  sign(claims: Json, header?: Json): Promise<string>
  close(): Promise<void>
}

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

/** Pairs of closed providers: one takes a tenth of a second of work to make, and each provider needs one. */
const idlePairs: Pair[] = []

const jsonHeaders = { 'Content-Type': 'application/json' }

/** Starts a provider. Its key set holds the one key that it signs with. */
export async function givenProvider(): Promise<TestProvider> {
  const asked: string[] = []
  const answers: TestProvider['answers'] = {}
  const document: Json = {}
  const pairs: Pair[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname
    asked.push(path)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      void Promise.resolve(answers[path]?.(form, request.headers) ?? { status: 404 }).then(
        ({ status = 200, headers = jsonHeaders, body = {} }) => {
          response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
        },
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made: TestProvider = {
    issuer,
    asked,
    answers,
    document,
    key: undefined as never,
    jwk: undefined as never,
    async rotate(kid = randomBytes(4).toString('hex')) {
      const pair = idlePairs.pop() ?? (await generateKeyPair('RS256', { extractable: true }))
      pairs.push(pair)
      this.key = pair.privateKey
      this.jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' }
    },
    sign(claims, header = {}) {
      const protectedHeader = { alg: 'RS256', kid: this.jwk.kid as string, ...header }
      return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(this.key)
    },
    close: () =>
      new Promise((resolve) => {
        idlePairs.push(...pairs.splice(0))
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  await made.rotate()
  answers['/.well-known/openid-configuration'] = () => ({
    body: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
      ...document,
    },
  })
  answers['/keys'] = () => ({ body: { keys: [made.jwk] } })
  return made
}

type ProviderInput = Partial<Config['oidc']['providers'][number]>

/** A server of a world with these providers. */
export function appWith(
  world: World,
  providers: (ProviderInput & { id: string; issuer: string })[],
  security: Record<string, unknown> = {},
): { app: App; deps: Deps } {
  const config = testConfig(world.dir, {
    oidc: {
      providers: providers.map((provider) => ({
        name: `The ${provider.id}`,
        client_id: 'arsenal',
        client_secret: 's3cret/+',
        ...provider,
      })),
    },
    security,
  })
  return serverOf(world, config)
}

/** A server of a world with this configuration. */
export function serverOf(world: World, config: Config): { app: App; deps: Deps } {
  const deps = { ...world.deps, config }
  const app = frame(deps)
  app.route(nativeBase, nativeSurface([mountAuth]))
  mountOidc(app)
  return { app, deps }
}

/** How one sign-in goes; the usual unless said otherwise. */
export interface Attempt {
  /** Query of `start`. */
  start?: Record<string, string>
  session?: string
  ip?: string
  /** Claims put over the usual; `undefined` takes one away. */
  claims?: Json
  /** Instead of the token that would be signed. */
  idToken?: (claims: Json) => Promise<string> | string
  /** Members of the token endpoint's answer, put over the usual. */
  tokens?: Json
  userinfo?: Json
  /** Query of `callback`, put over the usual. */
  callback?: Record<string, string>
  /** Instead of the cookie of this sign-in. */
  cookie?: string
  /** The provider to which the browser comes back, where it is another. */
  backTo?: string
}

export interface Outcome {
  status: number
  location: string | null
  session: string | undefined
  text: string
  headers: Headers
  /** What was asked of the authorization endpoint. */
  asked: URLSearchParams
  /** The form that the token endpoint was sent. */
  form: URLSearchParams | undefined
  /** How the client authenticated there: the header, where it sent one. */
  authorization: string | undefined
  cookie: string
}

const cookieOf = (headers: Headers, name: string): string | undefined =>
  headers
    .getSetCookie()
    .map((line) => new RegExp(`^${name}=([^;]+)`).exec(line)?.[1])
    .find((value) => value !== undefined)

/** Signs somebody in as a browser would, through `app`, at the provider `id`. */
export async function attempt(
  { app, deps }: { app: App; deps: Deps },
  idp: TestProvider,
  id: string,
  subject: string,
  how: Attempt = {},
): Promise<Outcome> {
  const env = { incoming: { socket: { remoteAddress: how.ip ?? '192.0.2.10' } } }
  const own = how.session ? `service_session=${how.session}` : ''
  const query = new URLSearchParams(how.start).toString()
  const begun = await app.request(`/auth/oidc/${id}/start?${query}`, { headers: { Cookie: own } }, env)
  const to = begun.headers.get('location')
  if (begun.status !== 303 || !to) return outcomeOf(begun, { asked: new URLSearchParams(), cookie: '' })
  const asked = new URL(to).searchParams
  const cookie = cookieOf(begun.headers, 'service_sign_in') ?? ''
  let form: URLSearchParams | undefined
  let authorization: string | undefined
  const seconds = Math.floor(deps.now().getTime() / 1000)
  const claims: Json = Object.fromEntries(
    Object.entries({
      iss: idp.issuer,
      aud: 'arsenal',
      sub: subject,
      iat: seconds,
      exp: seconds + 300,
      nonce: asked.get('nonce'),
      preferred_username: subject,
      email: `${subject}@idp.example`,
      email_verified: true,
      name: subject,
      ...how.claims,
    }).filter(([, value]) => value !== undefined),
  )
  // Of its own for each attempt: several may be under way.
  const code = randomBytes(8).toString('hex')
  const others = idp.answers['/token']
  idp.answers['/token'] = async (sent, headers) => {
    if (sent.get('code') !== (how.callback?.['code'] ?? code) && others) return others(sent, headers)
    form = sent
    authorization = headers.authorization
    const id_token = await (how.idToken?.(claims) ?? idp.sign(claims))
    return { body: { access_token: 'at', token_type: 'Bearer', id_token, ...how.tokens } }
  }
  idp.answers['/userinfo'] = () => ({ body: { sub: subject, ...how.userinfo } })
  const callback = new URLSearchParams({ code, state: asked.get('state') ?? '', ...how.callback })
  const cookies = [own, `service_sign_in=${how.cookie ?? cookie}`].filter(Boolean).join('; ')
  const back = `/auth/oidc/${how.backTo ?? id}/callback?${callback.toString()}`
  const finished = await app.request(back, { headers: { Cookie: cookies } }, env)
  return outcomeOf(finished, { asked, form, authorization, cookie })
}

async function outcomeOf(
  answer: Response,
  { form, authorization, ...seen }: Pick<Outcome, 'asked' | 'cookie'> & Partial<Outcome>,
): Promise<Outcome> {
  const { status, headers } = answer
  const session = cookieOf(headers, 'service_session')
  return {
    status,
    headers,
    location: headers.get('location'),
    session,
    text: await answer.text(),
    form,
    authorization,
    ...seen,
  }
}
