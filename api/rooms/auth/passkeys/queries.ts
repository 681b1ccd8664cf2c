import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../queries.ts'

export type PasskeyRow = Tables['passkeys']['$inferSelect']

/** The passkeys of a user, oldest first. */
export async function passkeysOf({ q, t: { passkeys } }: Reader, userId: string): Promise<PasskeyRow[]> {
  return q.select().from(passkeys).where(eq(passkeys.user_id, userId)).orderBy(asc(passkeys.id))
}

/** Whether a password alone is not enough for the user. */
export async function hasPasskey({ q, t: { passkeys } }: Reader, userId: string): Promise<boolean> {
  return (await q.$count(passkeys, eq(passkeys.user_id, userId))) > 0
}

export async function findPasskey(
  { q, t: { passkeys } }: Reader,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await q.select().from(passkeys).where(eq(passkeys.credential_id, credentialId))
  return row
}

/** How many recovery codes of a user have not been used. */
export async function recoveryCodesLeft({ q, t }: Reader, userId: string): Promise<number> {
  const { recovery_codes: codes } = t
  return q.$count(codes, and(eq(codes.user_id, userId), isNull(codes.used_at)))
}
