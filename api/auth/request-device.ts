import { and, eq, gt, lte } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { newId, UniqueViolation } from '../db/index.ts'
import { Problem } from '../problems/index.ts'
import type { DeviceLogin } from './queries.ts'
import { digestOf, newSecret, randomText } from './secrets.ts'

/** The public client id that the `hf` command line sends (hub-wire.md §11.2); no other client is registered. */
export const hfClientId = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'

// No vowels, so that no words come out; none that look alike (RFC 8628 §6.1).
const consonants = 'BCDFGHJKLMNPQRSTVWXZ'
const lifeMs = 15 * 60_000
const intervalS = 5
// More than one address will ever have waiting; asking needs no credentials, so something must bound the table.
const mostWaitingPerAddress = 50

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
 * Begins a device login (RFC 8628 §3.2): answers the secret the device polls with and the row with its user code.
 * Problem `throttled` when too many of one address wait.
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
  const deviceCode = newSecret()
  const login: DeviceLogin = {
    id: newId(),
    device_digest: digestOf(deviceCode),
    user_code: normalUserCode(randomText(8, consonants)),
    client_id: hfClientId,
    client_name: clientName(ctx.origin.userAgent),
    ip: ctx.origin.ip,
    status: 'pending',
    user_id: null,
    scopes: null,
    token_expires_at: null,
    interval_s: intervalS,
    polled_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + lifeMs),
  }
  await ctx.db.write(async ({ q, t: { device_logins: logins } }) => {
    // An ended one is kept as long again, so that its device is told what became of it.
    await q.delete(logins).where(lte(logins.expires_at, new Date(now.getTime() - lifeMs)))
    const ofAddress = and(eq(logins.ip, login.ip), eq(logins.status, 'pending'), gt(logins.expires_at, now))
    if ((await q.$count(logins, ofAddress)) >= mostWaitingPerAddress)
      throw new Problem('throttled', { retryAfterS: lifeMs / 1000 })
    await q.insert(logins).values(login)
  })
  return { deviceCode, login }
}
