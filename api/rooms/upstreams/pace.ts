import { eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Upstream } from './upstream.ts'

/** Where an upstream names no time. */
const USUAL_PAUSE_S = 30
/** No upstream stops this server for longer. */
const LONGEST_PAUSE_S = 3600
/** How long another process may go on asking after an upstream has asked one to wait. */
const REMEMBERED_MS = 2000

interface Pause {
  until: number
  readAt: number
}

const pausesOf = (_: Db) => new Map<string, Pause>()

/**
 * How long an answer asks its caller to wait, in seconds: `Retry-After` in either form, else the reset of a spent
 * `RateLimit` (draft-ietf-httpapi-ratelimit-headers). `undefined` for an answer that asks for nothing.
 */
export function pauseAsked(
  { status, headers }: { status: number; headers: Record<string, string> },
  now: Date,
): number | undefined {
  const isThrottled = status === 429 || (status === 503 && headers['retry-after'] !== undefined)
  if (!isThrottled) return undefined
  const after = headers['retry-after'] ?? ''
  const seconds = /^\d+$/.test(after.trim()) ? Number(after) : (Date.parse(after) - now.getTime()) / 1000
  const reset = Number(/(?:^|[;,]\s*)t=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1])
  const asked = [seconds, reset].find((value) => Number.isFinite(value) && value >= 0) ?? USUAL_PAUSE_S
  return Math.min(Math.ceil(asked), LONGEST_PAUSE_S)
}

/**
 * how many requests an upstream still takes and when it counts again, as its answer says: in `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers), its older three fields, or those with `X-` before them. Of several limits the
 * tightest. `undefined` where it says nothing.
 */
export function limitOf(headers: Record<string, string>): { left: number; resetS?: number } | undefined {
  const parts = (headers['ratelimit'] ?? '').split(',').flatMap((part) => {
    const left = /(?:^|;)\s*r=(\d+)/.exec(part)?.[1]
    return left === undefined ? [] : [limit(left, /(?:^|;)\s*t=(\d+)/.exec(part)?.[1])]
  })
  for (const prefix of ['ratelimit', 'x-ratelimit']) {
    const left = headers[`${prefix}-remaining`]
    if (left !== undefined && /^\d+$/.test(left)) parts.push(limit(left, headers[`${prefix}-reset`]))
  }
  return parts.toSorted((a, b) => a.left - b.left)[0]
}

/** A reset that is a date, as some servers write it, is left out. */
const limit = (left: string, reset: string | undefined) => ({
  left: Number(left),
  ...(reset !== undefined && /^\d{1,6}$/.test(reset) ? { resetS: Number(reset) } : {}),
})

/** Keeps in mind, for all processes, that an upstream wants to be left alone. */
export async function rememberPause(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { id }: Pick<Upstream, 'id'>,
  seconds: number,
): Promise<void> {
  const until = new Date(ctx.now().getTime() + seconds * 1000)
  ctx.db.keep(pausesOf).set(id, { until: until.getTime(), readAt: ctx.now().getTime() })
  await ctx.db.write(async ({ q, t: { upstream_states } }) => {
    await q
      .insert(upstream_states)
      .values({ upstream: id, paused_until: until })
      .onConflictDoUpdate({ target: upstream_states.upstream, set: { paused_until: until } })
  })
}

/** Milliseconds until the upstream may be asked again; 0 where it may now. */
export async function pauseLeft(ctx: Pick<Ctx, 'db' | 'now'>, { id }: Pick<Upstream, 'id'>): Promise<number> {
  const now = ctx.now().getTime()
  const pauses = ctx.db.keep(pausesOf)
  const known = pauses.get(id)
  if (known && now - known.readAt < REMEMBERED_MS) return Math.max(0, known.until - now)
  const { q, t } = ctx.db
  const [row] = await q
    .select({ until: t.upstream_states.paused_until })
    .from(t.upstream_states)
    .where(eq(t.upstream_states.upstream, id))
  const until = row?.until?.getTime() ?? 0
  pauses.set(id, { until, readAt: now })
  return Math.max(0, until - now)
}

/** The problem of a caller who cannot wait. */
export const throttled = ({ name }: Pick<Upstream, 'name'>, seconds: number) =>
  new Problem('upstream-throttled', {
    detail: `${name} limits how often it answers this server. Try again in ${seconds} s.`,
    retryAfterS: seconds,
  })
