import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import { requireScope, requireUser } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { SafeAnswer } from '../../platform/net/index.ts'
import type { Db } from '../../stores/db/index.ts'
import { askUpstream, requireUpstream, tokenFor, type Caller, type AskOptions } from '../upstreams/index.ts'

/** How long an answer of an upstream is shown again. */
const KEPT_MS = 60_000
const MAX_KEPT = 500
const MAX_KEPT_BYTES = 64 * 1024 * 1024
/** Somebody waits for it. */
const TOTAL_MS = 10_000

/** A person who looks at an upstream. */
export interface Looker extends Caller {
  /** Tells tokens apart, so that no caller sees what another's token may read. */
  identity: string
}

type Kept = Pick<SafeAnswer, 'status' | 'headers' | 'body'>

const keptOf = (_: Db) =>
  new LRUCache<string, Kept>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length + 1000,
    ttl: KEPT_MS,
  })

/** The caller with the token that counts for an upstream: their own, else that of the instance. Problem `not-found`. */
export async function lookerAt(ctx: Ctx, id: string): Promise<Looker> {
  const user = requireUser(ctx.actor)
  requireScope(ctx.actor, 'read')
  const upstream = await requireUpstream(ctx, id)
  const { kind, token } = await tokenFor(ctx, upstream, user.id)
  const digest = createHash('sha256')
    .update(token ?? '')
    .digest('hex')
  return { upstream, token, signal: ctx.signal, identity: `${kind} ${digest}` }
}

/** Asks an upstream for a path; a success is answered again for a minute to those with the same token. */
export async function look(
  ctx: Ctx,
  { identity, ...caller }: Looker,
  path: string,
  options: AskOptions = {},
): Promise<Kept> {
  const key = `${caller.upstream.id} ${caller.upstream.baseUrl} ${identity} ${options.method ?? 'GET'} ${path}`
  const kept = ctx.db.keep(keptOf)
  const known = kept.get(key)
  if (known) return known
  const answer = await askUpstream(ctx, caller, path, { totalMs: TOTAL_MS, ...options })
  if (answer.status >= 200 && answer.status < 300) kept.set(key, answer)
  return answer
}
