import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { isIPv6 } from 'node:net'
import type { Deps } from '../ctx.ts'
import type { Tx } from '../db/index.ts'
import { Problem } from '../problems/index.ts'
import { hot } from './hot.ts'

// native-api.md §5: failures within 15 minutes, after which further attempts are refused.
const windowMs = 15 * 60_000
const limits = { u: 10, ip: 50 }
// reliability.md §3: repetition doubles the wait, up to an hour.
const longestWaitMs = 60 * 60_000
// Far longer than anything here looks back.
const keptMs = 24 * 60 * 60_000

/** The key of a username, in any case. */
export const userKey = (username: string): string => `u:${username.toLowerCase()}`

/** The key of a client address: an IPv6 subscriber holds a whole /64. */
export function ipKey(ip: string): string {
  return `ip:${isIPv6(ip) ? `${network64(ip)}::/64` : ip}`
}

/** The first four groups of an IPv6 address, written out. */
function network64(ip: string): string {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const before = groups(head)
  const missing = tail === undefined ? 0 : 8 - before.length - groups(tail).length
  const all = [...before, ...Array<string>(Math.max(missing, 0)).fill('0'), ...groups(tail ?? '')]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function throttled(until: Date, now: Date): Problem {
  return new Problem('throttled', {
    detail: 'Too many failed attempts. Wait before you try again.',
    retryAfterS: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
  })
}

/** Throws Problem `throttled` while one of `keys` is locked. Costs no query while nothing is being written. */
export async function refuseLocked({ db, now }: Pick<Deps, 'db' | 'now'>, keys: string[]): Promise<void> {
  for (const key of keys) {
    const { lockedUntil } = await hot(db).throttle(key)
    if (lockedUntil && lockedUntil > now()) throw throttled(lockedUntil, now())
  }
}

/**
 * The same within the transaction that acts on a check of credentials. Holds the rows of `keys` until it ends, so that
 * of many attempts made at once not one is answered once the limit is reached.
 */
export async function refuseLockedNow({ q, t: { throttles } }: Tx, keys: string[], now: Date): Promise<void> {
  for (const key of keys) {
    const [row] = await q
      .insert(throttles)
      .values({ key, failures: 0, window_start: now, locks: 0 })
      .onConflictDoUpdate({ target: throttles.key, set: { key } })
      .returning({ at: throttles.locked_until })
    if (row?.at && row.at > now) throw throttled(row.at, now)
  }
}

/** Counts one failed attempt against each of `keys`; must be committed, so do not throw from the same transaction. */
export async function countFailure(tx: Tx, keys: string[], now: Date): Promise<void> {
  for (const key of keys) await countOne(tx, key, now)
}

async function countOne({ q, t: { throttles } }: Tx, key: string, now: Date): Promise<void> {
  const isOver = lte(throttles.window_start, new Date(now.getTime() - windowMs))
  const at = sql.param(now, throttles.window_start)
  const [row] = await q
    .insert(throttles)
    .values({ key, failures: 1, window_start: now, locks: 0 })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        failures: sql`case when ${isOver} then 1 else ${throttles.failures} + 1 end`,
        window_start: sql`case when ${isOver} then ${at} else ${throttles.window_start} end`,
      },
    })
    .returning()
  if (!row || row.failures < limits[key.startsWith('u:') ? 'u' : 'ip']) return
  const isRepetition = row.locked_until && now.getTime() - row.locked_until.getTime() < longestWaitMs
  const locks = isRepetition ? row.locks + 1 : 1
  const waitMs = Math.min(windowMs * 2 ** (locks - 1), longestWaitMs)
  await q
    .update(throttles)
    .set({ failures: 0, window_start: now, locks, locked_until: new Date(now.getTime() + waitMs) })
    .where(eq(throttles.key, key))
  await q.delete(throttles).where(lte(throttles.window_start, new Date(now.getTime() - keptMs)))
}

/** Upon a success, forgets the failures counted against the username; those of the address stay. */
export async function forgetFailures({ q, t: { throttles } }: Tx, keys: string[]): Promise<void> {
  const isUnused = and(eq(throttles.failures, 0), isNull(throttles.locked_until))
  for (const key of keys)
    await q.delete(throttles).where(and(eq(throttles.key, key), key.startsWith('u:') ? undefined : isUnused))
}
