import { eq } from 'drizzle-orm'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../queries.ts'

export type AvatarRow = Tables['avatars']['$inferSelect']

/** The uploaded avatar of this id. */
export async function findAvatar(
  { q, t: { avatars: a } }: Reader,
  id: string,
): Promise<AvatarRow | undefined> {
  const [row] = await q.select().from(a).where(eq(a.id, id))
  return row
}

/** The uploaded avatar of a namespace. */
export async function findAvatarOf(
  { q, t: { avatars: a } }: Reader,
  namespaceId: string,
): Promise<AvatarRow | undefined> {
  const [row] = await q.select().from(a).where(eq(a.namespace_id, namespaceId))
  return row
}
