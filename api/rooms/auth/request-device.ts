import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { newId, UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { networkOf } from './network.ts'
import type { DeviceLogin } from './queries.ts'
import { digestOf, newSecret, randomText } from './secrets.ts'

/** The public client id that the `hf` command line sends (hub-wire.md §11.2); no other client is registered. */
export const hfClientId = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'

// No vowels, so that no words come out; none that look alike (RFC 8628 §6.1).
const consonants = 'BCDFGHJKLMNPQRSTVWXZ'
const lifeMs = 15 * 60_000
const intervalS = 5
// More than one network has waiting at a time; asking needs no credentials, so something must bound the table.
const mostWaiting = 50

/** A user code as people may type it: any case, with or without the dash. */
export function normalUserCode(typed: string): string {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** What the approval page calls the client: its name and version as its User-Agent tells them. */
function clientName(userAgent: string): string {
  const version = /\bhf_hub\/([\w.]{1,30})/.exec(userAgent)?.[1]
  return version ? `hf ${version}` : 'hf'
}

/**
 * Begins a device login (RFC 8628 §3.2): answers the secret the device polls with and the row with its user code. Where
 * too many of one network wait already, one of them ends, so that what one person leaves behind keeps no other out.
 */
export async function requestDevice(ctx: Ctx): Promise<{ deviceCode: string; login: DeviceLogin }> {
  try {
    return await addDevice(ctx)
  } catch (error) {
    // One in 25 thousand million: another device holds the code.
    if (error instanceof UniqueViolation) return addDevice(ctx)
    throw error
  }
}

async function addDevice(ctx: Ctx): Promise<{ deviceCode: string; login: DeviceLogin }> {
  const now = ctx.now()
  const { ip } = ctx.origin
  const deviceCode = newSecret()
  const login = {
    id: newId(),
    device_digest: digestOf(deviceCode),
    user_code: normalUserCode(randomText(8, consonants)),
    client_id: hfClientId,
    client_name: clientName(ctx.origin.userAgent),
    ip,
    network: networkOf(ip),
    status: 'pending' as const,
    user_id: null,
    token_id: null,
    scopes: null,
    token_expires_at: null,
    interval_s: intervalS,
    polled_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + lifeMs),
  }
  await ctx.db.write(async (tx) => {
    const { device_logins: logins } = tx.t
    // An ended one is kept as long again, so that its device learns what became of it.
    await tx.q.delete(logins).where(lte(logins.expires_at, new Date(now.getTime() - lifeMs)))
    await makeRoom(tx, login.network, now)
    await tx.q.insert(logins).values(login)
  })
  return { deviceCode, login }
}

/** Ends those beyond the limit whose last sign of life is the oldest: devices poll every few seconds. */
async function makeRoom({ q, t }: Tx, network: string, now: Date): Promise<void> {
  const { device_logins: logins } = t
  const isPending = and(eq(logins.network, network), eq(logins.status, 'pending'), gt(logins.expires_at, now))
  const spare = await q
    .select({ id: logins.id })
    .from(logins)
    .where(isPending)
    .orderBy(desc(sql`coalesce(${logins.polled_at}, ${logins.created_at})`), desc(logins.id))
    .limit(mostWaiting)
    .offset(mostWaiting - 1)
  const ids = spare.map(({ id }) => id)
  if (ids.length > 0) await q.delete(logins).where(inArray(logins.id, ids))
}
