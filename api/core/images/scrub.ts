import { drain, hashing, StoreError } from '../../stores/storage/index.ts'
import { dropFault } from '../lfs/index.ts'
import type { Scrub, ScrubDeps } from '../scrub.ts'
import type { ImageRow, ImageRows } from './rows.ts'

const PAGE = 200

/** The images of a table, by id. One stored before its SHA-256 was noted is taken as it is found the first time. */
export const imageScrub = (rows: ImageRows): Scrub => ({
  kind: rows.kind,
  totalBytes: ({ db }) => rows.totalBytes(db),
  async *after({ db }, id) {
    for (let last = id; ;) {
      const page = await rows.after(db, last, PAGE)
      for (const row of page) {
        if (row.corrupt_at !== null) continue
        yield {
          id: row.id,
          key: rows.keyOf(row.id),
          sizeBytes: Number(row.size),
          fault: (deps) => faultOf(deps, rows, row),
          quarantine: (tx, now) => rows.setCorrupt(tx, row.id, now),
        }
      }
      const end = page.at(-1)
      if (!end) return
      last = end.id
    }
  },
  async heal({ db, blobs }, id, bring) {
    const row = await rows.find(db, id)
    if (!row || row.corrupt_at === null) return false
    const key = rows.keyOf(id)
    // The id in its address is its key: the same image comes back under it.
    await blobs.delete(key)
    await bring(key, key)
    return db.write(async (tx) => {
      await dropFault(tx, key)
      return rows.setCorrupt(tx, id, null)
    })
  },
})

async function faultOf(
  { blobs, db }: ScrubDeps,
  rows: ImageRows,
  row: ImageRow,
): Promise<string | undefined> {
  try {
    const hashed = hashing(await blobs.read(rows.keyOf(row.id)), 'sha256')
    await drain(hashed.source)
    const { hex, sizeBytes } = await hashed.digest()
    if (sizeBytes !== Number(row.size)) return `${sizeBytes} bytes instead of ${row.size}`
    if (row.sha256 !== null) return hex === row.sha256 ? undefined : `the bytes have the SHA-256 ${hex}`
    await db.write((tx) => rows.noteSha256(tx, row.id, hex))
    return undefined
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') return 'the bytes are gone'
    throw error
  }
}
