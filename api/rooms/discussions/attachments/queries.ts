import { and, count, eq, isNotNull, sum } from 'drizzle-orm'
import type { Tables } from '../../../stores/db/index.ts'
import type { Reader } from '../queries.ts'

export type AttachmentRow = Tables['attachments']['$inferSelect']

/** The image of this id, if any. */
export async function findAttachment({ q, t }: Reader, id: string): Promise<AttachmentRow | undefined> {
  const { attachments: a } = t
  const [row] = await q.select().from(a).where(eq(a.id, id))
  return row
}

/** The repos whose comments show it. */
export async function reposThatShow({ q, t }: Reader, id: string): Promise<string[]> {
  const { attachment_uses: u } = t
  const rows = await q.selectDistinct({ repoId: u.repo_id }).from(u).where(eq(u.attachment_id, id))
  return rows.map(({ repoId }) => repoId)
}

/** What a user has uploaded that no comment shows. */
export async function unusedOf({ q, t }: Reader, userId: string): Promise<{ files: number; bytes: number }> {
  const { attachments: a } = t
  const [row] = await q
    .select({ files: count(), bytes: sum(a.size).mapWith(Number) })
    .from(a)
    .where(and(eq(a.user_id, userId), isNotNull(a.unused_since)))
  return { files: row?.files ?? 0, bytes: row?.bytes ?? 0 }
}
