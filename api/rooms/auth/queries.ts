import { and, desc, eq, gt, lt, not } from 'drizzle-orm'
import type { Reads, Tables, Tx } from '../../stores/db/index.ts'
import { isIdle } from './policies/idle.ts'
import { readPolicies } from './policies/policies.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

export type SessionRow = Tables['sessions']['$inferSelect']
export type TokenRow = Tables['tokens']['$inferSelect']
export type DeviceLogin = Tables['device_logins']['$inferSelect']

/** One page of a list, newest first: rows older than the id `after`. */
export interface PageAfter {
  after?: string | undefined
  limit: number
}

/** The live sessions of a user. */
export async function findSessions({ q, t }: Reader, userId: string, now: Date, page: PageAfter) {
  const { sessions } = t
  const idle = isIdle(t, (await readPolicies({ q, t })).session_idle_minutes, now)
  const isNext = page.after === undefined ? undefined : lt(sessions.id, page.after)
  return q
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, now), idle && not(idle), isNext))
    .orderBy(desc(sessions.id))
    .limit(page.limit)
}

/** The tokens of a user, expired ones included. */
export async function findTokens({ q, t: { tokens } }: Reader, userId: string, page: PageAfter) {
  const isNext = page.after === undefined ? undefined : lt(tokens.id, page.after)
  return q
    .select()
    .from(tokens)
    .where(and(eq(tokens.user_id, userId), isNext))
    .orderBy(desc(tokens.id))
    .limit(page.limit)
}

/** How many tokens a user has, expired ones included. */
export async function countTokensOf({ q, t: { tokens } }: Reader, userId: string): Promise<number> {
  return q.$count(tokens, eq(tokens.user_id, userId))
}

/** The device login that still waits for a decision under `userCode`. */
export async function findPendingDevice({ q, t }: Reader, userCode: string, now: Date) {
  const { device_logins: logins } = t
  const [row] = await q
    .select()
    .from(logins)
    .where(and(eq(logins.user_code, userCode), eq(logins.status, 'pending'), gt(logins.expires_at, now)))
  return row
}

export async function findDeviceByDigest({ q, t }: Reader, digest: string): Promise<DeviceLogin | undefined> {
  const { device_logins: logins } = t
  const [row] = await q.select().from(logins).where(eq(logins.device_digest, digest))
  return row
}

/**
 * Changes a device login only while it has the status `from`, so that of several deciders or pollers one wins.
 * Answers whether this was the one.
 */
export async function moveDevice(
  { q, t }: Tx,
  id: string,
  from: DeviceLogin['status'],
  change: Partial<DeviceLogin>,
): Promise<boolean> {
  const { device_logins: logins } = t
  const moved = await q
    .update(logins)
    .set(change)
    .where(and(eq(logins.id, id), eq(logins.status, from)))
    .returning({ id: logins.id })
  return moved.length === 1
}
