import { abandon, addPendingPack, makeLive } from './catalogue.ts'
import type { CommitRequest, MadeCommit } from './commit-request.ts'
import type { Git } from './git.ts'
import { indexCommit } from './history-index.ts'
import type { Commit } from './objects.ts'
import type { Oid } from './oid.ts'
import type { PackRow } from './pack-row.ts'
import type { FinishedPack } from './pack-writer.ts'
import { moveRef } from './refs.ts'
import type { Snapshot } from './snapshot.ts'
import { storeProblem } from './store-problem.ts'
import type { TreeChange } from './tree-diff.ts'

/** A finished commit on its way to a ref. */
export interface Landing {
  request: CommitRequest
  oid: Oid
  commit: Commit
  changes: TreeChange[]
  /** Where the ref is; absent when it is to be made. */
  head?: string
}

/**
 * Stores the pack, then moves the ref with everything that belongs to the commit in one transaction. On any error
 * nothing is visible and the pack is given up.
 */
export async function land(
  git: Git,
  snapshot: Snapshot,
  pack: FinishedPack,
  landing: Landing,
): Promise<void> {
  await withPack(git, snapshot.repoId, pack, async (row) => {
    const { request, oid, commit, changes, head } = landing
    const { repoId, pruneSeq } = snapshot
    const { ref, via, alongside } = request
    const at = git.deps.now()
    const user = request.userId === undefined ? {} : { userId: request.userId }
    const sha = oid.toString('hex')
    const parent = commit.parents[0]?.toString('hex')
    const made: MadeCommit = { sha, ref, changes, ...(parent && { parent }) }
    await git.deps.db.write(async (tx) => {
      await makeLive(tx, row)
      await moveRef(tx, {
        repoId,
        name: ref,
        ...(head && { from: head }),
        to: sha,
        pruneSeq,
        via,
        at,
        ...user,
      })
      await indexCommit(tx, { repoId, oid, commit, changes, ref, ...user })
      await alongside?.(tx, made)
    })
  })
}

/** Stores a pack as `pending`, lets `use` make it live, and gives it up when that fails. */
export async function withPack<T>(
  git: Git,
  repoId: string,
  pack: FinishedPack,
  use: (row: PackRow) => Promise<T>,
): Promise<T> {
  const { db, now, log } = git.deps
  const row = await addPendingPack(db, { repoId, pack, source: 'insert', at: now() })
  try {
    await git.store.put(repoId, row.id, pack).catch((error: unknown) => {
      throw storeProblem(error)
    })
    return await use(row)
  } catch (error) {
    // What cannot be given up now the sweep of orphans finds later.
    await abandon(git, row).catch((err: unknown) =>
      log.warn({ err, pack: row.id }, 'could not remove an orphan pack'),
    )
    throw error
  }
}
