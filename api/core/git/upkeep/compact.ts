import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeLive, retire, writeOf, type Write } from '../packs/catalogue.ts'
import { readPack } from '../packs/finished-pack.ts'
import type { Git } from '../git.ts'
import { MIN_BITMAP_OBJECTS } from '../packs/pack-bitmap.ts'
import type { PackRow } from '../packs/pack-row.ts'
import type { FinishedPack } from '../packs/finished-pack.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { withPack } from '../packs/stored-pack.ts'

export interface CompactOptions {
  write?: Write
  signal?: AbortSignal
}

/** Another compaction was faster; ours is discarded. */
class Overtaken extends Error {}

const STEPS = ['--geometric=2']
/** One pack of everything, with a bitmap; also what no ref leads to. */
const WHOLE = ['-a', '-k', '-b']

/**
 * Joins small packs by `git repack --geometric`, or a large repo's into one with a bitmap where it has none worth its
 * while; drops no object. Replaced packs are retired in the transaction that makes the new ones live. Answers how many
 * were replaced: 0 when there was nothing to join or another process was faster.
 */
export async function compact(git: Git, repoId: string, options: CompactOptions = {}): Promise<number> {
  return git.compactions.run(repoId, async () => {
    const snapshot = await git.openFresh(repoId)
    return withSkeleton(git, snapshot, async (dir) => {
      const { signal } = options
      const args = ['repack', '-d', '-n', '-q', ...((await needsBitmap(git, snapshot)) ? WHOLE : STEPS)]
      await git.runner.run({ dir, args, kind: 'pack', ...(signal && { signal }) })
      const packDir = join(dir, 'objects', 'pack')
      const sha1s = (await readdir(packDir)).flatMap(
        (name) => /^pack-([0-9a-f]{40})\.pack$/.exec(name)?.[1] ?? [],
      )
      const before = new Set(snapshot.packs.map(({ sha1 }) => sha1))
      const replaced = snapshot.packs.filter(({ sha1 }) => !sha1s.includes(sha1))
      const made = sha1s.filter((sha1) => !before.has(sha1))
      if (replaced.length === 0) return 0
      const packs = await Promise.all(made.map((sha1) => readPack(packDir, sha1)))
      if (!(await swap(git, repoId, packs, replaced, options))) return 0
      // No ref has moved, so what is remembered of the repo would name the old packs for minutes.
      await git.openFresh(repoId)
      return replaced.length
    })
  })
}

/**
 * Whether no pack with a bitmap holds two thirds of the objects. While one does, the others together are less than half
 * of it, so that joining them in steps leaves it alone.
 */
async function needsBitmap(git: Git, { packs }: Snapshot): Promise<boolean> {
  const objects = packs.reduce((sum, pack) => sum + pack.objects, 0)
  if (objects <= MIN_BITMAP_OBJECTS) return false
  const found = await git.store.bitmaps.find(packs)
  return found === undefined || found.row.objects * 3 < objects * 2
}

/** Stores the new packs one inside the other, so that failing to make all of them live gives all of them up. */
async function swap(
  git: Git,
  repoId: string,
  packs: FinishedPack[],
  replaced: PackRow[],
  { write = writeOf(git) }: CompactOptions,
): Promise<boolean> {
  const store = async (rest: FinishedPack[], stored: PackRow[]): Promise<void> => {
    const [pack, ...others] = rest
    if (pack)
      return withPack(git, { repoId, pack, source: 'compact' }, (row) => store(others, [...stored, row]))
    await write(async (tx) => {
      if (!(await retire(tx, replaced, git.deps.now()))) throw new Overtaken()
      for (const row of stored) await makeLive(tx, row)
    })
  }
  try {
    await store(packs, [])
    return true
  } catch (error) {
    if (error instanceof Overtaken) return false
    throw error
  }
}
