import { and, eq, sum } from 'drizzle-orm'
import type { Scrub } from '../../core/scrub.ts'
import { faultOf, xorbs } from './checks.ts'
import { forgetXorbs } from './forget-xorbs.ts'

/** Chunk containers, by hash. A damaged one is forgotten: the next upload that needs it sends it again. */
export const xorbScrub: Scrub = {
  kind: 'chunks',
  async totalBytes({ db: { q, t } }) {
    const { chunk_xorbs: x } = t
    const [row] = await q.select({ bytes: sum(x.body_size).mapWith(Number) }).from(x)
    return row?.bytes ?? 0
  },
  async *after(deps, id) {
    const { chunk_xorbs: x } = deps.db.t
    for await (const xorb of xorbs(deps, id))
      yield {
        id: xorb.xorb_hash,
        key: xorb.key,
        sizeBytes: Number(xorb.body_size),
        fault: (reading) => faultOf(reading, xorb, true),
        async quarantine(tx, now) {
          const same = and(eq(x.xorb_hash, xorb.xorb_hash), eq(x.key, xorb.key))
          return (await forgetXorbs(tx, { now: () => now }, same)).length > 0
        },
      }
  },
}
