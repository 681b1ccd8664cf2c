import { and, asc, eq, gt, isNotNull, isNull, sum } from 'drizzle-orm'
import type { ImageRows } from '../../../core/images/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'

/** The server's logo, for scrub and fsck. */
export const logoRows: ImageRows = {
  kind: 'logo',
  keyOf: blobKeys.avatar,
  after: ({ q, t: { instance_logos: l } }, id, limit) =>
    q.select().from(l).where(gt(l.id, id)).orderBy(asc(l.id)).limit(limit),
  async find({ q, t: { instance_logos: l } }, id) {
    const [row] = await q.select().from(l).where(eq(l.id, id))
    return row
  },
  async totalBytes({ q, t: { instance_logos: l } }) {
    const [row] = await q.select({ bytes: sum(l.size).mapWith(Number) }).from(l)
    return row?.bytes ?? 0
  },
  async noteSha256({ q, t: { instance_logos: l } }, id, sha256) {
    await q.update(l).set({ sha256 }).where(eq(l.id, id))
  },
  async setCorrupt({ q, t: { instance_logos: l } }, id, at) {
    const isOther = at === null ? isNotNull(l.corrupt_at) : isNull(l.corrupt_at)
    const changed = await q
      .update(l)
      .set({ corrupt_at: at })
      .where(and(eq(l.id, id), isOther))
      .returning({ id: l.id })
    return changed.length > 0
  },
}
