import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Deps } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { networkOf } from './network.ts'
import { ipKey, nameKey, pairKey } from './throttle.ts'

/** More than home, office, a phone and travel; the oldest goes first. */
const mostPerUser = 10

/**
 * What a guess at a password counts against. The brake on the name is for networks the user has never signed in from:
 * a stranger who trips it leaves the user's own networks open.
 */
export async function passwordKeys(
  { db }: Pick<Deps, 'db'>,
  { name, userId, ip }: { name: string; userId: string | undefined; ip: string },
): Promise<string[]> {
  const keys = [pairKey(name, ip), ipKey(ip)]
  return userId !== undefined && (await isKnown({ db }, userId, ip)) ? keys : [...keys, nameKey(name)]
}

async function isKnown({ db: { q, t } }: Pick<Deps, 'db'>, userId: string, ip: string): Promise<boolean> {
  const { known_networks: known } = t
  return (await q.$count(known, and(eq(known.user_id, userId), eq(known.network, networkOf(ip))))) > 0
}

/** Notes that the user has signed in with their password from this address. */
export async function rememberNetwork(
  { q, t: { known_networks: known } }: Tx,
  userId: string,
  ip: string,
  now: Date,
): Promise<void> {
  await q
    .insert(known)
    .values({ user_id: userId, network: networkOf(ip), last_at: now })
    .onConflictDoUpdate({ target: [known.user_id, known.network], set: { last_at: now } })
  const beyond = await q
    .select({ network: known.network })
    .from(known)
    .where(eq(known.user_id, userId))
    .orderBy(desc(known.last_at), desc(known.network))
    // SQLite has no OFFSET without a LIMIT; no user has more.
    .limit(mostPerUser)
    .offset(mostPerUser)
  if (beyond.length === 0) return
  const networks = beyond.map(({ network }) => network)
  await q.delete(known).where(and(eq(known.user_id, userId), inArray(known.network, networks)))
}
