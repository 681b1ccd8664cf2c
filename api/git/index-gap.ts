import type { Git } from './git.ts'
import { findPlace, indexCommit, type Place } from './history-index.ts'
import type { Commit } from './objects.ts'
import { EMPTY_TREE, oidFromHex, type Oid } from './oid.ts'
import type { Snapshot } from './snapshot.ts'
import { diffTrees, type TreeChange } from './tree-diff.ts'

// About one millisecond each; longer gaps are for a Job, not for a reader.
const MAX_GAP = 2000

/**
 * Enters what the history index lacks of the first-parent history of `sha`, up to 2000 commits; `undefined` when the
 * gap is longer or the commit is not there. The index can be made anew from git at any time by this way.
 */
export async function ensureIndexed(git: Git, snapshot: Snapshot, sha: string): Promise<Place | undefined> {
  const { db } = git.deps
  const gap: { oid: Oid; commit: Commit }[] = []
  for (let oid: Oid | undefined = oidFromHex(sha); oid && !(await findPlace(db, snapshot.repoId, oid));) {
    const commit: Commit | undefined = await snapshot.reader.findCommit(oid)
    if (!commit || gap.length === MAX_GAP) return undefined
    gap.push({ oid, commit })
    oid = commit.parents[0]
  }
  for (const { oid, commit } of gap.toReversed()) {
    const entry = {
      repoId: snapshot.repoId,
      oid,
      commit,
      changes: await changesOf(snapshot, commit),
      ref: ownerOf(snapshot),
    }
    await db.write((tx) => indexCommit(tx, entry))
  }
  return findPlace(db, snapshot.repoId, oidFromHex(sha))
}

async function changesOf(snapshot: Snapshot, commit: Commit): Promise<TreeChange[]> {
  const { reader } = snapshot
  const parent = commit.parents[0] && (await reader.findCommit(commit.parents[0]))
  const changes: TreeChange[] = []
  for await (const change of diffTrees(reader.loadTree, parent?.tree ?? EMPTY_TREE, commit.tree))
    changes.push(change)
  return changes
}

// Whose chain a commit found later belongs to is only a guess that keeps the default branch's history in one piece.
function ownerOf(snapshot: Snapshot): string {
  return `refs/heads/${snapshot.defaultBranch}`
}
