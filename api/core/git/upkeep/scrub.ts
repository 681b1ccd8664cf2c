import { and, asc, eq, gt, isNotNull, isNull, sql, sum } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import { dropFault } from '../../lfs/index.ts'
import type { Bring, Scrub, ScrubDeps } from '../../scrub.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { StoreError } from '../../../stores/storage/index.ts'
import { addPendingCopy, giveUp, makeLive, retire } from '../packs/catalogue.ts'
import { keyOf, type PackRow } from '../packs/pack-row.ts'
import { readTrailer } from './trailer.ts'

const PAGE = 200

/** Live packs with their indexes and bitmaps, by id. */
export const packScrub: Scrub = {
  kind: 'packs',
  async totalBytes({ db: { q, t } }) {
    const { git_packs: p } = t
    const [row] = await q
      .select({ pack: sum(p.pack_bytes).mapWith(Number), idx: sum(p.idx_bytes).mapWith(Number) })
      .from(p)
      .where(eq(p.state, 'live'))
    return (row?.pack ?? 0) + (row?.idx ?? 0)
  },
  async *after({ db: { q, t } }, id) {
    const { git_packs: p } = t
    for (let last = id; ;) {
      const page = await q
        .select()
        .from(p)
        .where(and(eq(p.state, 'live'), isNull(p.corrupt_at), gt(p.id, last)))
        .orderBy(asc(p.id))
        .limit(PAGE)
      for (const one of page) {
        const row = rowOf(one)
        yield {
          id: row.id,
          key: keyOf(row, 'pack'),
          sizeBytes: row.packBytes + row.idxBytes,
          repoId: row.repoId,
          fault: (deps) => faultOf(deps, row),
          quarantine: (tx, now) => quarantine(tx, row, now),
        }
      }
      const end = page.at(-1)
      if (!end) return
      last = end.id
    }
  },
  heal,
}

/** The bytes come back as a pack of its own, since keys are never used twice and servers may have the damaged one open. */
async function heal(ctx: Ctx, id: string, bring: Bring): Promise<boolean> {
  const { git, db, now } = ctx
  const { git_packs: p } = db.t
  const isCorrupt = and(eq(p.id, id), eq(p.state, 'live'), isNotNull(p.corrupt_at))
  const [one] = await db.q.select().from(p).where(isCorrupt)
  if (!one) return false
  const old = rowOf(one)
  const row = await addPendingCopy(db, old, { source: one.source, at: now() })
  try {
    for (const kind of ['pack', 'idx'] as const) await bring(keyOf(old, kind), keyOf(row, kind))
    const isDone = await db.write(async (tx) => {
      if (!(await retire(tx, [old], now()))) return false
      await makeLive(tx, row)
      await bumpPruned(tx, old.repoId)
      await dropFault(tx, keyOf(old, 'pack'))
      return true
    })
    if (!isDone) await giveUp(git, row)
    return isDone
  } catch (error) {
    await giveUp(git, row)
    throw error
  }
}

async function faultOf(deps: ScrubDeps, row: PackRow): Promise<string | undefined> {
  try {
    const pack = await readTrailer(deps.blobs, keyOf(row, 'pack'))
    if (pack.sizeBytes !== row.packBytes)
      return `the pack has ${pack.sizeBytes} bytes instead of ${row.packBytes}`
    if (pack.hash !== row.sha1 || pack.trailer !== row.sha1) return 'the pack does not match its checksum'
    const index = await readTrailer(deps.blobs, keyOf(row, 'idx'))
    if (index.hash !== index.trailer) return 'the index of the pack does not match its checksum'
    await dropDamagedBitmap(deps, row)
    return undefined
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') return 'the bytes are gone'
    throw error
  }
}

/** A bitmap only makes fetches faster. */
async function dropDamagedBitmap({ blobs, log }: ScrubDeps, row: PackRow): Promise<void> {
  const key = keyOf(row, 'bitmap')
  if (!(await blobs.stat(key))) return
  const { hash, trailer } = await readTrailer(blobs, key)
  if (hash === trailer) return
  log.error({ key }, 'scrub: a bitmap was damaged and has been removed; the next compaction makes another')
  await blobs.delete(key)
}

/** Its repo's readers notice at once: the number rises that tells them that packs have gone. */
async function quarantine(tx: Tx, row: PackRow, now: Date): Promise<boolean> {
  const { git_packs: p } = tx.t
  const set = await tx.q
    .update(p)
    .set({ corrupt_at: now })
    .where(and(eq(p.id, row.id), eq(p.state, 'live'), isNull(p.corrupt_at)))
    .returning({ id: p.id })
  if (set.length === 0) return false
  await bumpPruned(tx, row.repoId)
  return true
}

async function bumpPruned({ q, t: { git_repos } }: Tx, repoId: string): Promise<void> {
  await q
    .update(git_repos)
    .set({ prune_seq: sql`${git_repos.prune_seq} + 1` })
    .where(eq(git_repos.repo_id, repoId))
}

const rowOf = (one: Tx['t']['git_packs']['$inferSelect']): PackRow => ({
  id: one.id,
  repoId: one.repo_id,
  sha1: one.sha1,
  objects: one.objects,
  packBytes: Number(one.pack_bytes),
  idxBytes: Number(one.idx_bytes),
})
