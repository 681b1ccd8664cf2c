import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { OutboundError, type SafeAnswer } from '../../../platform/net/index.ts'
import { ask, type Provider } from './provider.ts'
import { Refused } from './refused.ts'

/** Signatures that are accepted; no `none`, and nothing that a shared secret signs (reliability.md §3). */
export const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

const Endpoint = z.url({ protocol: /^https?$/ })

const Document = z.object({
  issuer: z.string(),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  jwks_uri: Endpoint,
  userinfo_endpoint: Endpoint.optional(),
  // Both defaults are those of OpenID Connect Discovery 1.0, section 3.
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})

/** What a provider says of itself. */
export type Metadata = z.output<typeof Document>

const keptMs = 24 * 3_600_000
// A provider that is down is asked at most this often, however many wait for it.
const failedMs = 5_000

interface Kept {
  document: Promise<Metadata>
  until: number
}
const kept = new WeakMap<Provider, Kept>()

/** The provider's discovery document, read when first needed and once a day. Throws {@link Refused}. */
export function discover(ctx: Ctx, provider: Provider): Promise<Metadata> {
  const known = kept.get(provider)
  const now = ctx.now().getTime()
  if (known && now < known.until) return known.document
  const entry: Kept = { document: read(ctx, provider), until: now + keptMs }
  kept.set(provider, entry)
  entry.document.catch(() => (entry.until = ctx.now().getTime() + failedMs))
  return entry.document
}

/** Reads the document now. Throws {@link Refused} `provider-down` or `provider-misconfigured`. */
async function read(ctx: Ctx, provider: Provider): Promise<Metadata> {
  const url = `${provider.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const answer = await orDown(ask(ctx, provider, url, { redirects: 3 }))
  const parsed = Document.safeParse(jsonOf(answer))
  if (!parsed.success) throw misconfigured(`its discovery document lacks ${pathsOf(parsed.error)}`)
  const document = parsed.data
  if (document.issuer !== provider.issuer)
    throw misconfigured(`its discovery document names the issuer ${document.issuer}, not ${provider.issuer}`)
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint = jwks_uri } = document
  const plain = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint].find(
    (each) => provider.issuer.startsWith('https:') && !each.startsWith('https:'),
  )
  if (plain) throw misconfigured(`its issuer is https and its endpoint ${plain} is not`)
  return document
}

const pathsOf = ({ issues }: z.ZodError): string => issues.map(({ path }) => path.join('.')).join(', ')

export const misconfigured = (fault: string, cause?: unknown): Refused =>
  new Refused('provider-misconfigured', { fault, cause })

/** The answer of a request that succeeded; a failure of the network or of the provider is {@link Refused} `provider-down`. */
export async function orDown(request: Promise<SafeAnswer>): Promise<SafeAnswer> {
  let answer: SafeAnswer
  try {
    answer = await request
  } catch (error) {
    if (error instanceof OutboundError)
      throw new Refused('provider-down', { fault: error.message, cause: error })
    throw error
  }
  if (answer.status !== 200)
    throw new Refused('provider-down', { fault: `${new URL(answer.url).pathname} answered ${answer.status}` })
  return answer
}

/** The JSON of an answer, or `undefined` when it is none. */
export function jsonOf({ body }: Pick<SafeAnswer, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
