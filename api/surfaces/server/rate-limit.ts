import { LRUCache } from 'lru-cache'
import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Env } from '../../core/http/env.ts'
import { callerOf } from './caller.ts'

// The classes clients know (reliability.md §14), and what each allows within the window: several times what a busy
// client of the public hub is allowed.
const windowS = 300
const quotas = { api: 3000, resolvers: 15_000, pages: 3000 }
type Class = keyof typeof quotas

const bytes = /\/(?:resolve|raw)\/|\.git\/|\/info\/(?:lfs|refs)(?:\/|$)|^\/chunk-cas\//

function classOf(path: string): Class {
  if (bytes.test(path)) return 'resolvers'
  return path.startsWith('/api/') || path.startsWith('/oauth/') || path.startsWith('/v2/') ? 'api' : 'pages'
}

/** What is left to a caller, as of `at`. It fills evenly, a whole quota in a window. */
interface Bucket {
  left: number
  at: number
}

// Some 20 MB; the longest idle are forgotten first, and start full again.
const maxBuckets = 100_000

/**
 * Limits the requests of each token, user or address while `security.rate_limit` is on: a bucket for each class, in this
 * process alone. Every answer says what is left; beyond that, Problem `throttled`. `identifyCaller` hands over to it.
 */
export function rateLimit(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  allowed: Record<Class, number> = quotas,
): MiddlewareHandler<Env> {
  // It takes all its memory when it is made, which is wasted while the limits are off.
  let buckets: LRUCache<string, Bucket> | undefined
  return (c, next) => {
    if (!config.security.rate_limit) return next()
    buckets ??= new LRUCache({ max: maxBuckets })
    const { ctx, headers } = c.var
    const kind = classOf(c.req.path)
    const quota = allowed[kind]
    const key = `${kind} ${callerOf(ctx)}`
    const at = now().getTime()
    const before = buckets.get(key) ?? { left: quota, at }
    const gained = (Math.max(0, at - before.at) / 1000) * (quota / windowS)
    const level = Math.min(quota, before.left + gained)
    const left = level < 1 ? level : level - 1
    buckets.set(key, { left, at })
    const fullInS = Math.ceil(((quota - left) * windowS) / quota)
    const waitS = level < 1 ? Math.max(1, Math.ceil(((1 - level) * windowS) / quota)) : 0
    headers['RateLimit'] = `"${kind}";r=${Math.floor(left)};t=${waitS || fullInS}`
    headers['RateLimit-Policy'] = `"fixed window";"${kind}";q=${quota};w=${windowS}`
    if (level >= 1) return next()
    const detail = `Too many requests of the class "${kind}": wait ${waitS} s.`
    throw new Problem('throttled', { detail, retryAfterS: waitS })
  }
}
