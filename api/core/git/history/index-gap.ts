import type { Write } from '../packs/catalogue.ts'
import type { Git } from '../git.ts'
import { findPlace, indexCommits, type ChangingCommit, type Place } from './history-index.ts'
import { EMPTY_TREE, oidFromHex, type Oid } from '../objects/oid.ts'
import type { Snapshot } from '../snapshot.ts'
import { diffTrees } from '../objects/tree-diff.ts'
import { shallowestChanges } from './shallowest-changes.ts'

// About one millisecond each; longer gaps are for a job, not for a reader or a push.
const MAX_GAP = 2000
/** Rows that one transaction writes at most, but for a commit that has more by itself. */
const ROWS_PER_WRITE = 5000

/**
 * Enters what the history index lacks of the first-parent history of `sha`, up to 2000 commits; `undefined` when the
 * gap is longer or the commit is not there. The index can be made again from git at any time by this way.
 */
export async function ensureIndexed(git: Git, snapshot: Snapshot, sha: string): Promise<Place | undefined> {
  const gap = await findGap(git, snapshot, sha, { max: MAX_GAP })
  if (!gap) return undefined
  await enterGap(git, snapshot, gap, { ref: ownerOf(snapshot), write: (change) => git.deps.db.write(change) })
  return findPlace(git.deps.db, snapshot.repoId, oidFromHex(sha))
}

/**
 * The commits that the index lacks of the first-parent history of `sha`, newest first. `undefined` when there are more
 * than `max`, or one is not there.
 */
export async function findGap(
  { deps: { db } }: Git,
  snapshot: Snapshot,
  sha: string,
  { max, planned }: { max: number; planned?: ReadonlySet<string> },
): Promise<Oid[] | undefined> {
  const gap: Oid[] = []
  for (let oid: Oid | undefined = oidFromHex(sha); oid;) {
    snapshot.caller.signal?.throwIfAborted()
    if (planned?.has(oid.toString('hex')) || (await findPlace(db, snapshot.repoId, oid))) break
    const commit = await snapshot.reader.findCommit(oid)
    if (!commit || gap.length === max) return undefined
    gap.push(oid)
    oid = commit.parents[0]
  }
  return gap
}

/** Enters a gap, oldest commits first, in transactions of bounded length. */
export async function enterGap(
  git: Git,
  snapshot: Snapshot,
  gap: Oid[],
  { ref, write }: { ref: string; write: Write },
): Promise<void> {
  const where = { repoId: snapshot.repoId, ref }
  let batch: ChangingCommit[] = []
  let rows = 0
  const flush = async () => {
    const full = batch
    ;[batch, rows] = [[], 0]
    if (full.length > 0) await write((tx) => indexCommits(tx, where, full))
  }
  for (const oid of gap.toReversed()) {
    snapshot.caller.signal?.throwIfAborted()
    const commit = await changingCommit(snapshot, oid)
    if (rows + weightOf(commit) > ROWS_PER_WRITE) await flush()
    batch.push(commit)
    rows += weightOf(commit)
  }
  await flush()
}

/** Rows that a commit takes in the history index. Its parents count as well: all are held until it is written. */
export const weightOf = ({ commit, changes }: ChangingCommit): number =>
  changes.length + commit.parents.length

/** A commit with what it changes, compared to its first parent. */
export async function changingCommit({ reader }: Snapshot, oid: Oid): Promise<ChangingCommit> {
  const commit = await reader.findCommit(oid)
  if (!commit) throw new Error(`the commit ${oid.toString('hex')} has gone`)
  const parent = commit.parents[0] && (await reader.findCommit(commit.parents[0]))
  const changes = await shallowestChanges(
    (options) => diffTrees(reader.loadTree, parent?.tree ?? EMPTY_TREE, commit.tree, options),
    { caller: reader.caller },
  )
  return { oid, commit, changes }
}

// Whose chain a commit found later belongs to is only a guess that keeps the default branch's history in one piece.
function ownerOf(snapshot: Snapshot): string {
  return `refs/heads/${snapshot.defaultBranch}`
}
