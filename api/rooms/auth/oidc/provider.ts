import type { Config } from '../../../platform/config/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import {
  guardFor,
  safeFetch,
  type Guard,
  type SafeAnswer,
  type SafeRequest,
} from '../../../platform/net/index.ts'
import { Refused } from './refused.ts'

/** One entry of `oidc.providers`. */
export type Provider = Config['oidc']['providers'][number]

/** What rows call a right that a provider's groups grant, and where a member's role comes from. */
export const sourceOf = ({ id }: Provider): string => `oidc:${id}`

/** The configured provider; throws {@link Refused} for any other id. */
export function requireProvider({ config }: Pick<Ctx, 'config'>, id: string): Provider {
  const provider = config.oidc.providers.find((each) => each.id === id)
  if (!provider) throw new Refused('unknown-provider')
  return provider
}

/** Where the provider sends people back to: what is registered there. */
export function redirectUri({ server }: Config, { id }: Provider): string {
  return new URL(`/auth/oidc/${id}/callback`, server.public_url).href
}

/** Where a sign-in with the provider begins. */
export const startPath = ({ id }: Pick<Provider, 'id'>): string => `/auth/oidc/${id}/start`

const guards = new WeakMap<Provider, Guard>()

/** A request to the provider or to an endpoint that it names. Throws `OutboundError`. */
export function ask(
  { config }: Pick<Ctx, 'config'>,
  provider: Provider,
  url: string,
  request: SafeRequest = {},
): Promise<SafeAnswer> {
  const guard =
    guards.get(provider) ?? guardFor('oidc', config.security.outbound_allow, undefined, [provider.issuer])
  guards.set(provider, guard)
  const headers = { Accept: 'application/json', ...request.headers }
  return safeFetch(url, guard, { connectMs: 5000, firstByteMs: 10_000, totalMs: 15_000, ...request, headers })
}
