import { and, asc, eq, gt, isNotNull, isNull, sum } from 'drizzle-orm'
import { dropFault } from '../../../core/lfs/index.ts'
import type { Scrub, ScrubDeps } from '../../../core/scrub.ts'
import { blobKeys, drain, hashing, StoreError } from '../../../stores/storage/index.ts'
import type { AttachmentRow } from './queries.ts'

const PAGE = 200

/** Images in comments, by id. One stored before its SHA-256 was noted is taken as it is found the first time. */
export const attachmentScrub: Scrub = {
  kind: 'attachments',
  async totalBytes({ db: { q, t } }) {
    const { attachments: a } = t
    const [row] = await q.select({ bytes: sum(a.size).mapWith(Number) }).from(a)
    return row?.bytes ?? 0
  },
  async *after({ db }, id) {
    const { attachments: a } = db.t
    for (let last = id; ;) {
      const page = await db.q
        .select()
        .from(a)
        .where(and(isNull(a.corrupt_at), gt(a.id, last)))
        .orderBy(asc(a.id))
        .limit(PAGE)
      for (const row of page)
        yield {
          id: row.id,
          key: blobKeys.attachment(row.id),
          sizeBytes: Number(row.size),
          fault: (deps) => faultOf(deps, row),
          async quarantine(tx, now) {
            const set = await tx.q
              .update(a)
              .set({ corrupt_at: now })
              .where(and(eq(a.id, row.id), isNull(a.corrupt_at)))
              .returning({ id: a.id })
            return set.length > 0
          },
        }
      const end = page.at(-1)
      if (!end) return
      last = end.id
    }
  },
  async heal({ db, blobs }, id, bring) {
    const { attachments: a } = db.t
    const isCorrupt = and(eq(a.id, id), isNotNull(a.corrupt_at))
    if ((await db.q.$count(a, isCorrupt)) === 0) return false
    const key = blobKeys.attachment(id)
    // The id in its address is its key: the same image comes back under it.
    await blobs.delete(key)
    await bring(key, key)
    return db.write(async (tx) => {
      await dropFault(tx, key)
      const healed = await tx.q.update(a).set({ corrupt_at: null }).where(isCorrupt).returning({ id: a.id })
      return healed.length > 0
    })
  },
}

async function faultOf({ blobs, db }: ScrubDeps, row: AttachmentRow): Promise<string | undefined> {
  try {
    const hashed = hashing(await blobs.read(blobKeys.attachment(row.id)), 'sha256')
    await drain(hashed.source)
    const { hex, sizeBytes } = await hashed.digest()
    if (sizeBytes !== Number(row.size)) return `${sizeBytes} bytes instead of ${row.size}`
    if (row.sha256 !== null) return hex === row.sha256 ? undefined : `the bytes have the SHA-256 ${hex}`
    await db.write(async ({ q, t: { attachments: a } }) => {
      await q.update(a).set({ sha256: hex }).where(eq(a.id, row.id))
    })
    return undefined
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') return 'the bytes are gone'
    throw error
  }
}
