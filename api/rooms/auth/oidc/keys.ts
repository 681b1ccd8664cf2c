import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Ctx } from '../../../core/ctx.ts'
import { discover, jsonOf, misconfigured, orDown } from './discovery.ts'
import { ask, type Provider } from './provider.ts'

// Keys that a provider has withdrawn stop working after this.
const keptMs = 3_600_000
// An unknown key id has the keys read again at most this often (reliability.md §3).
const refreshMs = 60_000

interface Kept {
  keys: Promise<JWTVerifyGetKey>
  readAt: number
}
const kept = new WeakMap<Provider, Kept>()

function current(ctx: Ctx, provider: Provider, olderThanMs: number): Kept {
  const now = ctx.now().getTime()
  const known = kept.get(provider)
  if (known && now - known.readAt < olderThanMs) return known
  const entry: Kept = { keys: read(ctx, provider), readAt: now }
  kept.set(provider, entry)
  entry.keys.catch(() => kept.get(provider) === entry && kept.delete(provider))
  return entry
}

async function read(ctx: Ctx, provider: Provider): Promise<JWTVerifyGetKey> {
  const { jwks_uri } = await discover(ctx, provider)
  const keys = jsonOf(await orDown(ask(ctx, provider, jwks_uri, { redirects: 3 })))
  try {
    return createLocalJWKSet(keys as JSONWebKeySet)
  } catch (error) {
    throw misconfigured('its key set cannot be read', error)
  }
}

/**
 * Finds the key that signed a token. An unknown key id has the provider's keys read again, at most once a minute.
 * Throws {@link Refused} when they cannot be read, and jose's error when none fits.
 */
export const keyOf =
  (ctx: Ctx, provider: Provider): JWTVerifyGetKey =>
  async (header, token) => {
    const first = current(ctx, provider, keptMs)
    try {
      return await (
        await first.keys
      )(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const fresh = current(ctx, provider, refreshMs)
      if (fresh === first) throw error
      return (await fresh.keys)(header, token)
    }
  }
