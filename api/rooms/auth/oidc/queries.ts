import { and, asc, eq } from 'drizzle-orm'
import type { Tables, Tx } from '../../../stores/db/index.ts'
import type { Reader } from '../queries.ts'

export type IdentityRow = Tables['identities']['$inferSelect']

/** The account that a provider knows by `subject`; accounts are found by nothing else. */
export async function findIdentity(
  { q, t: { identities } }: Reader,
  provider: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  const [row] = await q
    .select()
    .from(identities)
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
  return row
}

/** The identities of a user, by provider. */
export async function identitiesOf({ q, t: { identities } }: Reader, userId: string): Promise<IdentityRow[]> {
  return q.select().from(identities).where(eq(identities.user_id, userId)).orderBy(asc(identities.provider))
}

/** Notes that a sign-in is finished; false for one that was before. */
export async function finishOnce({ q, t }: Tx, digest: string, expiresAt: Date): Promise<boolean> {
  const { finished_sign_ins: finished } = t
  const added = await q
    .insert(finished)
    .values({ digest, expires_at: expiresAt })
    .onConflictDoNothing()
    .returning({ digest: finished.digest })
  return added.length === 1
}
