import { and, asc, eq, gt, isNotNull, isNull, sum } from 'drizzle-orm'
import type { ImageRows } from '../../../core/images/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { findAvatar } from './queries.ts'

/** Avatars, for scrub and fsck. */
export const avatarRows: ImageRows = {
  kind: 'avatars',
  keyOf: blobKeys.avatar,
  after: ({ q, t: { avatars: a } }, id, limit) =>
    q.select().from(a).where(gt(a.id, id)).orderBy(asc(a.id)).limit(limit),
  find: findAvatar,
  async totalBytes({ q, t: { avatars: a } }) {
    const [row] = await q.select({ bytes: sum(a.size).mapWith(Number) }).from(a)
    return row?.bytes ?? 0
  },
  async noteSha256({ q, t: { avatars: a } }, id, sha256) {
    await q.update(a).set({ sha256 }).where(eq(a.id, id))
  },
  async setCorrupt({ q, t: { avatars: a } }, id, at) {
    const isOther = at === null ? isNotNull(a.corrupt_at) : isNull(a.corrupt_at)
    const changed = await q
      .update(a)
      .set({ corrupt_at: at })
      .where(and(eq(a.id, id), isOther))
      .returning({ id: a.id })
    return changed.length > 0
  },
}
