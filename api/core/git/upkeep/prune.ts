import { and, eq, sql } from 'drizzle-orm'
import { join } from 'node:path'
import type { Tx } from '../../../stores/db/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { makeLive, retire, writeOf, type Write } from '../packs/catalogue.ts'
import { readPack } from '../packs/finished-pack.ts'
import type { Git } from '../git.ts'
import { MIN_BITMAP_OBJECTS } from '../packs/pack-bitmap.ts'
import type { PackRow } from '../packs/pack-row.ts'
import type { FinishedPack } from '../packs/finished-pack.ts'
import { Overtaken, rootsOf } from './roots.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { withPack } from '../packs/stored-pack.ts'

export interface PruneOptions {
  /** What a ref has led to since then stays. */
  keepSince: Date
  write?: Write
  signal?: AbortSignal
}

const MAX_ATTEMPTS = 3

/**
 * Drops the objects that no root leads to (git-storage.md §7), by one new pack of all that stay in place of every pack of
 * the snapshot. A push that builds on what was dropped learns of it by `prune_seq`. Answers how many entries of packs went,
 * or nothing when the repo was too busy. Any failure of git leaves everything as it was.
 */
export async function prune(git: Git, repoId: string, options: PruneOptions): Promise<number | undefined> {
  return git.compactions.run(repoId, async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        return await tryPrune(git, await git.openFresh(repoId), options)
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
      }
    }
    return undefined
  })
}

async function tryPrune(git: Git, snapshot: Snapshot, options: PruneOptions): Promise<number> {
  const before = snapshot.packs.reduce((sum, { objects }) => sum + objects, 0)
  if (before === 0) return 0
  return withSkeleton(git, snapshot, async (dir) => {
    const pack = await packRoots(git, snapshot, dir, options)
    // The only pack, and it holds what stays: nothing is to be done.
    if (pack && snapshot.packs.length === 1 && snapshot.packs[0]?.sha1 === pack.sha1.toString('hex')) return 0
    await replaceAll(git, snapshot, pack, options)
    return before - (pack?.objects ?? 0)
  })
}

/** Of a repo without roots there is no pack. */
async function packRoots(
  git: Git,
  snapshot: Snapshot,
  dir: string,
  { keepSince, signal }: PruneOptions,
): Promise<FinishedPack | undefined> {
  const { lasting, passing } = await rootsOf(git, snapshot, keepSince)
  const roots = [...lasting, ...passing]
  if (roots.length === 0) return undefined
  const isLarge = snapshot.packs.reduce((sum, { objects }) => sum + objects, 0) > MIN_BITMAP_OBJECTS
  // git makes a bitmap only if it is given every ref, which are among the roots anyway.
  const also = isLarge ? ['--all', '--write-bitmap-index'] : []
  const args = ['pack-objects', '-q', '--revs', ...also, '--delta-base-offset', 'objects/pack/pack']
  const stdin = fromChunks(Buffer.from(`${roots.join('\n')}\n`))
  const said = await git.runner.run({ dir, args, kind: 'pack', stdin, ...(signal && { signal }) })
  return readPack(join(dir, 'objects', 'pack'), said.toString('latin1').trim())
}

async function replaceAll(
  git: Git,
  snapshot: Snapshot,
  pack: FinishedPack | undefined,
  { write = writeOf(git) }: PruneOptions,
): Promise<void> {
  const swap = (row?: PackRow) =>
    write(async (tx) => {
      await raisePruneSeq(tx, snapshot)
      if (!(await retire(tx, [...snapshot.packs], git.deps.now()))) throw new Overtaken()
      if (row) await makeLive(tx, row)
    })
  if (pack) await withPack(git, { repoId: snapshot.repoId, pack, source: 'gc' }, swap)
  else await swap()
}

async function raisePruneSeq({ q, t: { git_repos: g } }: Tx, snapshot: Snapshot): Promise<void> {
  const { repoId, refSeq, pruneSeq } = snapshot
  const raised = await q
    .update(g)
    .set({ prune_seq: sql`${g.prune_seq} + 1` })
    .where(and(eq(g.repo_id, repoId), eq(g.ref_seq, refSeq), eq(g.prune_seq, pruneSeq)))
    .returning({ id: g.repo_id })
  if (raised.length === 0) throw new Overtaken()
}
