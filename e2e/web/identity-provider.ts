import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { client, interact, newSigningKey } from '../fixtures/provider.mjs'

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
      const key = await newSigningKey()
      const provider = new Provider(issuer, {
        clients: [{ ...client, redirect_uris: redirectUris() }],
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
