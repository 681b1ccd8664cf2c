import { giveUp, addPendingPack, type PackSource } from './catalogue.ts'
import type { Git } from '../git.ts'
import type { PackRow } from './pack-row.ts'
import type { FinishedPack } from './finished-pack.ts'
import { receivedFrom } from '../store-problem.ts'

/** Stores a pack as `pending`, lets `use` make it live, and gives it up when that fails. */
export async function withPack<T>(
  git: Git,
  { repoId, pack, source }: { repoId: string; pack: FinishedPack; source: PackSource },
  use: (row: PackRow) => Promise<T>,
): Promise<T> {
  const { db, now, log } = git.deps
  const row = await addPendingPack(db, { repoId, pack, source, at: now() })
  try {
    await git.store.put(repoId, row.id, pack).catch((error: unknown) => {
      throw receivedFrom(error)
    })
    return await use(row)
  } catch (error) {
    // What cannot be discarded now the sweep of orphans finds later.
    await giveUp(git, row).catch((err: unknown) =>
      log.warn({ err, pack: row.id }, 'could not remove an orphan pack'),
    )
    throw error
  }
}
