import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

/** What a person is at a provider. */
export interface Account {
  preferred_username?: string
  name?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

/** A real OpenID Connect provider on loopback. */
export interface IdentityProvider {
  issuer: string
  /** By subject, which is what people type to sign in; tests change them as they like. */
  accounts: Map<string, Account>
  /** Its token endpoint fails while this is set. */
  isBroken: boolean
  /** It stops as soon as it has sent somebody back, before it is asked for their token. */
  isLeaving: boolean
  /** Starts it with fresh keys; it forgets who was signed in. */
  start(): Promise<void>
  stop(): Promise<void>
}

const form = `<!doctype html><title>Provider</title><form method="post">
<label>Subject <input name="subject" autofocus></label><button>Continue</button></form>`

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

/** Asks who it is, and consents to everything. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'consent') {
    const grant = new provider.Grant({
      ...(session && { accountId: session.accountId }),
      clientId: String(params['client_id']),
    })
    grant.addOIDCScope(String(params['scope']))
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
  }
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'text/html').end(form)
    return
  }
  const accountId = (await bodyOf(request)).get('subject') ?? ''
  await provider.interactionFinished(request, response, { login: { accountId } })
}

/** A provider on `port` that knows the client `arsenal` with its redirect URIs. It is not started yet. */
export function identityProvider(port: number, redirectUris: () => string[]): IdentityProvider {
  const issuer = `http://127.0.0.1:${port}`
  const accounts = new Map<string, Account>()
  let server: Server | undefined
  const made: IdentityProvider = {
    issuer,
    accounts,
    isBroken: false,
    isLeaving: false,
    async start() {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true })
      const key = {
        ...(await exportJWK(privateKey)),
        kid: randomBytes(4).toString('hex'),
        use: 'sig',
        alg: 'RS256',
      }
      const provider = new Provider(issuer, {
        clients: [{ client_id: 'arsenal', client_secret: 'c4nary-secret', redirect_uris: redirectUris() }],
        jwks: { keys: [key] },
        // Cookies of one host are shared by its ports.
        cookies: {
          keys: ['k'],
          names: { session: `s${port}`, interaction: `i${port}`, resume: `r${port}` },
        },
        scopes: ['openid', 'profile', 'email', 'groups'],
        claims: {
          openid: ['sub'],
          profile: ['preferred_username', 'name'],
          email: ['email', 'email_verified'],
          groups: ['groups'],
        },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }),
      })
      const handle = provider.callback()
      server = createServer((request, response) => {
        const path = request.url ?? ''
        response.on('finish', () => {
          const to = String(response.getHeader('location'))
          if (made.isLeaving && redirectUris().some((uri) => to.startsWith(uri))) void made.stop()
        })
        if (made.isBroken && path.startsWith('/token')) response.writeHead(503).end()
        else if (path.startsWith('/interaction/'))
          interact(provider, request, response).catch((error: unknown) =>
            response.writeHead(500).end(String(error)),
          )
        else void handle(request, response)
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop() {
      if (!server) return
      const ending = server
      server = undefined
      ending.close()
      ending.closeAllConnections()
      await once(ending, 'close')
    },
  }
  return made
}
