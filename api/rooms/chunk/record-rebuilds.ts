import { eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { inBatches, type Tx } from '../../stores/db/index.ts'
import { grantObjects, recordBytes, type ObjectOwner } from '../../core/lfs/index.ts'
import type { Problem } from '../../platform/problems/index.ts'
import { forgetDamaged, type DamagedXorb } from './damaged-xorb.ts'
import type { RebuildRow } from './queries.ts'
import type { Rebuilt } from './rebuild-file.ts'

/** What came of a file: its object, or why there is none. */
export interface Outcome {
  row: RebuildRow
  rebuilt?: Rebuilt
  refusal?: Problem
  /** What the refusal is about. */
  damage?: DamagedXorb
}

interface Done extends Rebuilt {
  row: RebuildRow
}

/**
 * Writes down what came of these files; answers the keys that are dropped. Throws `temporarily-unavailable` when a
 * reservation has ended.
 */
export async function recordRebuilds(tx: Tx, ctx: Ctx, outcomes: Outcome[]): Promise<string[]> {
  const { chunk_rebuilds: r } = tx.t
  for (const { row, refusal, damage } of outcomes) {
    if (damage) await forgetDamaged(tx, ctx, damage)
    if (!refusal) continue
    const problem = { code: refusal.code, message: refusal.detail ?? refusal.title }
    await tx.q.update(r).set({ active_key: null, problem }).where(eq(r.id, row.id))
  }
  return recordDone(
    tx,
    ctx,
    outcomes.flatMap(({ row, rebuilt }) => (rebuilt ? [{ row, ...rebuilt }] : [])),
  )
}

async function recordDone(tx: Tx, ctx: Ctx, done: Done[]): Promise<string[]> {
  const { chunk_rebuilds: r } = tx.t
  // First of all: a transaction that adds a claim holds such a row, and is waited for.
  await inBatches(
    done.map(({ row }) => row.id),
    (some) => tx.q.delete(r).where(inArray(r.id, some)).returning({ id: r.id }),
  )
  const objects = done.map(({ row, sha256, key }) => ({ sha256, sizeBytes: row.size, key }))
  const unused = await recordBytes(tx, ctx, objects)
  await grantClaims(tx, ctx, done)
  await noteContents(tx, ctx, done)
  return unused
}

async function grantClaims(tx: Tx, ctx: Ctx, done: Done[]): Promise<void> {
  const { chunk_rebuild_claims: c } = tx.t
  const byId = new Map(done.map(({ row, sha256 }) => [row.id, sha256]))
  const claims = await inBatches(byId.keys(), (some) =>
    tx.q.delete(c).where(inArray(c.rebuild_id, some)).returning(),
  )
  const owners = new Map<string, { owner: ObjectOwner; sha256s: string[] }>()
  for (const { rebuild_id, repo_id: repoId, user_id: userId } of claims) {
    const name = `${repoId} ${userId}`
    const claimed = owners.get(name) ?? { owner: { repoId, userId }, sha256s: [] }
    claimed.sha256s.push(byId.get(rebuild_id) ?? '')
    owners.set(name, claimed)
  }
  for (const { owner, sha256s } of owners.values()) await grantObjects(tx, ctx, sha256s, owner)
}

async function noteContents(tx: Tx, ctx: Ctx, done: Done[]): Promise<void> {
  const byContent = new Map(done.map((one) => [`${one.row.file_hash}/${one.sha256}`, one]))
  await inBatches(byContent.keys(), async (some) => {
    const values = some.flatMap((content) => {
      const { row, sha256 = '' } = byContent.get(content) ?? {}
      return row ? [{ file_hash: row.file_hash, sha256, size: row.size, created_at: ctx.now() }] : []
    })
    await tx.q.insert(tx.t.chunk_files).values(values).onConflictDoNothing()
    return []
  })
}
