import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { algorithms, discover, jsonOf, orDown, type Metadata } from './discovery.ts'
import { exchangeCode } from './exchange.ts'
import { ask, redirectUri, requireProvider, type Provider } from './provider.ts'
import { Refused } from './refused.ts'

/** One thing that was checked, in words. */
export interface Finding {
  isGood: boolean
  text: string
}

/** Tokens are refused whose times lie further off (reliability.md §3). */
const MAX_SKEW_MS = 60_000

const good = (text: string): Finding => ({ isGood: true, text })
const bad = (text: string): Finding => ({ isGood: false, text })

/**
 * Checks what can be checked of a provider without a person who signs in: discovery, algorithms, keys, clock, and whether it
 * knows our client. Without a discovery document nothing else is checked. Problem `not-found`.
 */
export async function* checkProvider(ctx: Ctx, id: string): AsyncGenerator<Finding> {
  const provider = providerOf(ctx, id)
  yield good(`Register this redirect URI: ${redirectUri(ctx.config, provider)}`)
  let metadata: Metadata
  try {
    metadata = await discover(ctx, provider)
  } catch (error) {
    yield bad(`Discovery of ${provider.issuer}: ${faultOf(error)}`)
    return
  }
  yield good(`Discovery: the issuer is ${metadata.issuer}`)
  const usable = metadata.id_token_signing_alg_values_supported.filter((name) => algorithms.includes(name))
  yield usable.length > 0
    ? good(`Signatures: ${usable.join(', ')}`)
    : bad(
        `Signatures: it offers ${metadata.id_token_signing_alg_values_supported.join(', ')}; needed is one of ${algorithms.join(', ')}`,
      )
  yield* checkKeys(ctx, provider, metadata)
  yield await checkClient(ctx, provider, metadata)
}

function providerOf(ctx: Ctx, id: string): Provider {
  try {
    return requireProvider(ctx, id)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const ids = ctx.config.oidc.providers.map((each) => each.id)
    const known = ids.length > 0 ? `Configured: ${ids.join(', ')}.` : 'oidc.providers is empty.'
    throw new Problem('not-found', { detail: `There is no provider "${id}". ${known}` })
  }
}

const faultOf = (error: unknown): string => {
  if (error instanceof Refused) return error.fault ?? error.message
  throw error
}

async function* checkKeys(ctx: Ctx, provider: Provider, { jwks_uri }: Metadata): AsyncGenerator<Finding> {
  try {
    const answer = await orDown(ask(ctx, provider, jwks_uri, { redirects: 3 }))
    const { keys } = (jsonOf(answer) ?? {}) as { keys?: unknown }
    const count = Array.isArray(keys) ? keys.length : 0
    yield count > 0 ? good(`Keys: ${count} at ${jwks_uri}`) : bad(`Keys: ${jwks_uri} holds none`)
    yield checkClock(ctx, answer.headers['date'])
  } catch (error) {
    yield bad(`Keys: ${faultOf(error)}`)
  }
}

function checkClock({ now }: Ctx, date: string | undefined): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return good('Clock: the provider does not say what time it has')
  const skewS = Math.round((theirs - now().getTime()) / 1000)
  const text = `Clock: the provider's is ${Math.abs(skewS)} s ${skewS < 0 ? 'behind' : 'ahead of'} ours`
  return Math.abs(skewS) * 1000 <= MAX_SKEW_MS
    ? good(text)
    : bad(`${text}; more than 60 s fails every sign-in`)
}

/** Sends a code that cannot exist: a provider that knows the client refuses the code, any other refuses the client. */
async function checkClient(ctx: Ctx, provider: Provider, metadata: Metadata): Promise<Finding> {
  const client = `client_id "${provider.client_id}"`
  try {
    await exchangeCode(ctx, provider, metadata, { code: 'arsenal-oidc-check', verifier: 'x'.repeat(43) })
    return bad('Client: the provider took a code that it never issued')
  } catch (error) {
    if (error instanceof Refused && error.reason === 'wrong-answer')
      return good(`Client: the provider knows ${client} and its secret`)
    return bad(`Client: ${client} or its secret is refused: ${faultOf(error)}`)
  }
}
