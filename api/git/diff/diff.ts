import type { ChangedFiles, FileChange } from './file-change.ts'
import type { Git } from '../git.ts'
import type { MergeSides } from '../mergeability.ts'
import { EMPTY_TREE, oidFromHex, type Oid } from '../objects/oid.ts'
import { parseRawDiff } from './raw-diff.ts'
import { GitFailed } from '../runner/runner.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { diffTrees } from '../objects/tree-diff.ts'
import { MODE } from '../objects/tree.ts'

/** The files of a commit that are listed at most. */
const MAX_CHANGED_FILES = 3000
// Counting lines inflates every changed file; an answer without counts is worth more than one that comes too late.
const COUNT_TIMEOUT_MS = 10_000
const OUTPUT_BYTES = 16 * 1024 * 1024

/** What `sha` changed against its first parent (a first commit: against nothing). `undefined` when there is no such commit. */
export async function diffCommit(
  git: Git,
  snapshot: Snapshot,
  sha: string,
): Promise<ChangedFiles | undefined> {
  const commit = await snapshot.reader.findCommit(oidFromHex(sha))
  if (!commit) return undefined
  const parent = commit.parents[0] && (await snapshot.reader.findCommit(commit.parents[0]))
  return diffBetween(git, snapshot, parent?.tree ?? EMPTY_TREE, commit.tree)
}

/** What lies between two commits. `undefined` when there is no such commit. */
export async function diffCommits(
  git: Git,
  snapshot: Snapshot,
  { base, head }: MergeSides,
): Promise<ChangedFiles | undefined> {
  const [before, after] = await Promise.all(
    [base, head].map((sha) => snapshot.reader.findCommit(oidFromHex(sha))),
  )
  return before && after && diffBetween(git, snapshot, before.tree, after.tree)
}

/** Files that differ between two trees, by path; renames are found while at most 3000 files changed. */
async function diffBetween(git: Git, snapshot: Snapshot, before: Oid, after: Oid): Promise<ChangedFiles> {
  const key = `${snapshot.repoId}:${before.toString('hex')}:${after.toString('hex')}`
  const cached = git.diffs.get(key)
  if (cached) return cached
  const plain = await plainDiff(snapshot, before, after)
  if (plain.isTruncated || plain.files.length === 0) return plain
  const files = (await countedDiff(git, snapshot, before, after)) ?? plain.files
  for (const file of files) await addFacts(snapshot, file)
  const result = { files, isTruncated: false }
  git.diffs.set(key, result)
  return result
}

async function plainDiff(snapshot: Snapshot, before: Oid, after: Oid): Promise<ChangedFiles> {
  const files: FileChange[] = []
  for await (const change of diffTrees(snapshot.reader.loadTree, before, after)) {
    if (change.isFolder) continue
    if (files.length === MAX_CHANGED_FILES) return { files, isTruncated: true }
    const side = (entry: { oid: Oid; mode: number }) => ({ oid: entry.oid.toString('hex'), mode: entry.mode })
    files.push({
      path: change.dir === '' ? change.name : `${change.dir}/${change.name}`,
      status: change.kind === 'A' ? 'added' : change.kind === 'D' ? 'deleted' : 'modified',
      isBinary: false,
      ...(change.old && { old: side(change.old) }),
      ...(change.new && { new: side(change.new) }),
    })
  }
  return { files, isTruncated: false }
}

/** The same by git, with renames and line counts; `undefined` when that takes too long. */
async function countedDiff(
  git: Git,
  snapshot: Snapshot,
  before: Oid,
  after: Oid,
): Promise<FileChange[] | undefined> {
  const trees = [before.toString('hex'), after.toString('hex')]
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--numstat',
    '-M',
    '-l1000',
    '--no-ext-diff',
    '--no-textconv',
    ...trees,
  ]
  return withSkeleton(git, snapshot, async (dir) => {
    try {
      return parseRawDiff(await git.runner.run({ dir, args, timeoutMs: COUNT_TIMEOUT_MS }, OUTPUT_BYTES))
    } catch (error) {
      if (error instanceof GitFailed && error.code === -1) return undefined
      throw error
    }
  })
}

async function addFacts(snapshot: Snapshot, file: FileChange): Promise<void> {
  for (const side of [file.old, file.new]) {
    if (!side || side.mode === MODE.gitlink) continue
    const [facts] = await snapshot.describe([side.oid])
    if (facts) side.facts = facts
  }
  // The lines of a pointer say nothing of the file it stands for.
  if (file.old?.facts?.pointer ?? file.new?.facts?.pointer) {
    delete file.additions
    delete file.deletions
  }
}
