import { and, eq, gte, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Deps } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { hot } from './hot.ts'
import { networkOf } from './network.ts'

const windowMs = 15 * 60_000

/**
 * Failures within 15 minutes after which further attempts are refused (native-api.md §5). `name` slows guesses that
 * come from many networks: fewer than 400 an hour for one name, however many networks there are.
 */
const limits = { pair: 10, ip: 50, name: 100, codes: 10, factor: 10, provider: 50, accounts: 5 }
type Counter = keyof typeof limits

// reliability.md §3: repetition doubles the wait, up to an hour.
const longestWaitMs = 60 * 60_000
// Far longer than anything here looks back.
const keptMs = 24 * 60 * 60_000

const key = (counter: Counter, what: string) => `${counter}:${what}`

/** Counts what fails for one username, in any case, from one network. */
export const pairKey = (username: string, ip: string): string =>
  key('pair', `${username.toLowerCase()} ${networkOf(ip)}`)

/** Counts what fails from one network, whatever the username. */
export const ipKey = (ip: string): string => key('ip', networkOf(ip))

/** Counts what fails for one username from networks it has never signed in from. */
export const nameKey = (username: string): string => key('name', username.toLowerCase())

/** Counts the wrong device codes that one user enters, from wherever. */
export const codesKey = (userId: string): string => key('codes', userId)

/** Counts the wrong second factors of one user, from wherever: only one who knows the password can fail them. */
export const factorKey = (userId: string): string => key('factor', userId)

/** Counts the sign-ins with a provider that are refused, from one network. */
export const providerKey = (ip: string): string => key('provider', networkOf(ip))

/** Counts the accounts that are made from one network; five within an hour have it wait for one. */
export const accountsKey = (ip: string): string => key('accounts', networkOf(ip))

function throttled(until: Date, now: Date): Problem {
  return new Problem('throttled', {
    detail: 'Too many failed attempts. Wait before you try again.',
    retryAfterS: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
  })
}

/** Throws Problem `throttled` while one of `keys` is locked. Costs no query while nothing is being written. */
export async function refuseLocked({ db, now }: Pick<Deps, 'db' | 'now'>, keys: string[]): Promise<void> {
  for (const each of keys) {
    const { lockedUntil } = await hot(db).throttle(each)
    if (lockedUntil && lockedUntil > now()) throw throttled(lockedUntil, now())
  }
}

/**
 * The same within the transaction that acts on a check of credentials. Holds the rows of `keys` until it ends, so that
 * of many attempts made at once not one is answered once the limit is reached.
 */
export async function refuseLockedNow({ q, t: { throttles } }: Tx, keys: string[], now: Date): Promise<void> {
  for (const each of keys) {
    const [row] = await q
      .insert(throttles)
      .values({ key: each, failures: 0, window_start: now, locks: 0 })
      .onConflictDoUpdate({ target: throttles.key, set: { key: each } })
      .returning({ at: throttles.locked_until })
    if (row?.at && row.at > now) throw throttled(row.at, now)
  }
}

/** Counts one failed attempt against each of `keys`; must be committed, so do not throw from the same transaction. */
export async function countFailure(tx: Tx, keys: string[], now: Date): Promise<void> {
  for (const each of keys) await countOne(tx, each, now)
}

async function countOne({ q, t: { throttles } }: Tx, counted: string, now: Date): Promise<void> {
  const spanMs = spanOf(counted)
  const isOver = lte(throttles.window_start, new Date(now.getTime() - spanMs))
  const at = sql.param(now, throttles.window_start)
  const [row] = await q
    .insert(throttles)
    .values({ key: counted, failures: 1, window_start: now, locks: 0 })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        failures: sql`case when ${isOver} then 1 else ${throttles.failures} + 1 end`,
        window_start: sql`case when ${isOver} then ${at} else ${throttles.window_start} end`,
      },
    })
    .returning()
  if (!row || row.failures < limitOf(counted)) return
  const isRepetition = row.locked_until && now.getTime() - row.locked_until.getTime() < longestWaitMs
  const locks = isRepetition ? row.locks + 1 : 1
  const waitMs = Math.min(spanMs * 2 ** (locks - 1), longestWaitMs)
  await q
    .update(throttles)
    .set({ failures: 0, window_start: now, locks, locked_until: new Date(now.getTime() + waitMs) })
    .where(eq(throttles.key, counted))
  await q.delete(throttles).where(lte(throttles.window_start, new Date(now.getTime() - keptMs)))
}

const limitOf = (counted: string): number => limits[counted.slice(0, counted.indexOf(':')) as Counter]

// identity.md §2: accounts are counted by the hour.
const spanOf = (counted: string): number => (counted.startsWith('accounts:') ? 4 * windowMs : windowMs)

/**
 * Upon a success, forgets what the username has failed from this network. What others have failed stays counted: a
 * success of the owner gives a stranger no further guesses.
 */
export async function forgetFailures(
  { q, t: { throttles } }: Tx,
  username: string,
  keys: string[],
): Promise<void> {
  const own = key('pair', `${username.toLowerCase()} `)
  const isUnused = and(eq(throttles.failures, 0), isNull(throttles.locked_until))
  for (const each of keys)
    await q.delete(throttles).where(and(eq(throttles.key, each), each.startsWith(own) ? undefined : isUnused))
}

/** Forgets what a key has counted, for keys that its owner alone can fail. */
export async function forgetKey({ q, t: { throttles } }: Tx, counted: string): Promise<void> {
  await q.delete(throttles).where(eq(throttles.key, counted))
}

/** Lifts every lock on the username, from whichever network. For admins. */
export async function liftLocks({ q, t: { throttles } }: Tx, username: string): Promise<void> {
  const own = key('pair', username.toLowerCase())
  // A network follows behind one space, and `!` is the character behind it.
  const isOfName = and(gte(throttles.key, `${own} `), lt(throttles.key, `${own}!`))
  await q.delete(throttles).where(or(eq(throttles.key, nameKey(username)), isOfName))
}
