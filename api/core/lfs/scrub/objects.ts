import { and, asc, eq, gt, isNotNull, isNull, sum } from 'drizzle-orm'
import { newId } from '../../../stores/db/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import type { Scrub } from '../../scrub.ts'
import { faultOf } from '../checks.ts'
import { recordBytes, reserveKeys } from '../record.ts'

const PAGE = 500

/** LFS objects, by SHA-256. */
export const objectScrub: Scrub = {
  kind: 'lfs',
  async totalBytes({ db: { q, t } }) {
    const { lfs_objects: o } = t
    const [row] = await q.select({ bytes: sum(o.size).mapWith(Number) }).from(o)
    return row?.bytes ?? 0
  },
  async *after({ db: { q, t } }, id) {
    const { lfs_objects: o } = t
    for (let last = id; ;) {
      const page = await q
        .select()
        .from(o)
        .where(and(isNull(o.corrupt_at), gt(o.sha256, last)))
        .orderBy(asc(o.sha256))
        .limit(PAGE)
      for (const row of page)
        yield {
          id: row.sha256,
          key: row.key,
          sizeBytes: row.size,
          fault: (deps) => faultOf(deps, row, true),
          async quarantine(tx, now) {
            const set = await tx.q
              .update(o)
              .set({ corrupt_at: now })
              .where(and(eq(o.sha256, row.sha256), eq(o.key, row.key), isNull(o.corrupt_at)))
              .returning({ key: o.key })
            return set.length > 0
          },
        }
      const end = page.at(-1)
      if (!end) return
      last = end.sha256
    }
  },
  async heal(ctx, id, bring) {
    const { lfs_objects: o } = ctx.db.t
    const isCorrupt = and(eq(o.sha256, id), isNotNull(o.corrupt_at))
    const [row] = await ctx.db.q.select().from(o).where(isCorrupt)
    if (!row) return false
    const object = { sha256: id, sizeBytes: Number(row.size), key: blobKeys.lfsObject(id, newId()) }
    await ctx.db.write((tx) => reserveKeys(tx, ctx, [object.key]))
    await bring(row.key, object.key)
    await ctx.db.write((tx) => recordBytes(tx, ctx, [object]))
    return true
  },
}
