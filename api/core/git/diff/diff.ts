import { limits } from '../../../../shared/vocabulary.ts'
import { askGit } from './ask-git.ts'
import type { ChangedFiles, FileChange } from './file-change.ts'
import { BINARY_PROBE_BYTES, isBinary, MAX_DIFF_BYTES } from './file-diff.ts'
import type { Git } from '../git.ts'
import type { MergeSides } from '../mergeability.ts'
import { EMPTY_TREE, oidFromHex, type Oid } from '../objects/oid.ts'
import { keyOf, type DiffOptions } from './options.ts'
import { parseCounts, parseRawDiff } from './raw-diff.ts'
import type { Finding } from './remembered.ts'
import type { Snapshot } from '../snapshot.ts'
import { diffTrees } from '../objects/tree-diff.ts'
import { MODE } from '../objects/tree.ts'

/** Content of both sides whose lines are counted; git inflates and compares all of it. */
const MAX_COUNTED_BYTES = 16 * 1024 * 1024
const OUTPUT_BYTES = 16 * 1024 * 1024

/** What `sha` changed against its first parent (a first commit: against nothing). `undefined` when there is no such commit. */
export async function diffCommit(
  git: Git,
  snapshot: Snapshot,
  sha: string,
  options: DiffOptions = {},
): Promise<ChangedFiles | undefined> {
  const commit = await snapshot.reader.findCommit(oidFromHex(sha))
  if (!commit) return undefined
  const parent = commit.parents[0] && (await snapshot.reader.findCommit(commit.parents[0]))
  return diffBetween(git, snapshot, { before: parent?.tree ?? EMPTY_TREE, after: commit.tree }, options)
}

/** What lies between two commits. `undefined` when there is no such commit. */
export async function diffCommits(
  git: Git,
  snapshot: Snapshot,
  { base, head }: MergeSides,
  options: DiffOptions = {},
): Promise<ChangedFiles | undefined> {
  const [before, after] = await Promise.all(
    [base, head].map((sha) => snapshot.reader.findCommit(oidFromHex(sha))),
  )
  return before && after && diffBetween(git, snapshot, { before: before.tree, after: after.tree }, options)
}

interface Trees {
  before: Oid
  after: Oid
}

/** Files that differ between two trees, by path; renames are found while at most 3000 files changed. */
async function diffBetween(
  git: Git,
  snapshot: Snapshot,
  trees: Trees,
  options: DiffOptions,
): Promise<ChangedFiles> {
  const [before, after] = hexOf(trees)
  const key = `${snapshot.repoId}:${before}:${after}${keyOf(options)}`
  const look = options.ignoresWhitespace ? compareWords : compare
  return git.diffs.get(key, snapshot.caller, (all) => look(git, snapshot.readFor(all), trees))
}

const hexOf = ({ before, after }: Trees) => [before.toString('hex'), after.toString('hex')] as const

async function compare(
  git: Git,
  snapshot: Snapshot,
  { before, after }: Trees,
): Promise<Finding<ChangedFiles>> {
  const { files, isTruncated } = await plainDiff(snapshot, before, after)
  for (const file of files) await addFacts(snapshot, file)
  const isUncounted = isTruncated || bytesOf(files) > MAX_COUNTED_BYTES
  if (isUncounted || files.length === 0) return { value: { files, isTruncated, isUncounted }, isFinal: true }
  const counted = await countedDiff(git, snapshot, { before, after })
  if (!Array.isArray(counted)) return { value: { files, isTruncated, isUncounted: true }, isFinal: false }
  let isPartly = false
  for (const file of counted) {
    await addFacts(snapshot, file)
    isPartly = (await isLeftOut(snapshot, file)) || isPartly
  }
  return { value: { files: counted, isTruncated, isUncounted: isPartly }, isFinal: true }
}

/**
 * The same files, of whose lines those count that differ in more than white space. The files themselves are asked for
 * without that option: with it, some gits list those that differ in white space alone, and others do not.
 */
async function compareWords(git: Git, snapshot: Snapshot, trees: Trees): Promise<Finding<ChangedFiles>> {
  const plain = await diffBetween(git, snapshot, trees, {})
  const isCounted = ({ additions }: FileChange) => additions !== undefined
  if (!plain.files.some(isCounted)) return { value: plain, isFinal: !plain.isUncounted }
  const args = [...counting, '--numstat', '--ignore-all-space', ...hexOf(trees)]
  const said = await askGit(git, snapshot, args, OUTPUT_BYTES)
  if (typeof said === 'string') {
    const files = plain.files.map(({ additions: _added, deletions: _deleted, ...file }) => file)
    return { value: { ...plain, files, isUncounted: true }, isFinal: false }
  }
  const counts = parseCounts(said)
  const files = plain.files.map((file) =>
    isCounted(file) ? { ...file, additions: 0, deletions: 0, ...counts.get(file.path) } : file,
  )
  return { value: { ...plain, files }, isFinal: true }
}

/** Bytes that git would compare. */
function bytesOf(files: FileChange[]): number {
  let bytes = 0
  for (const { old, new: now } of files)
    if (old?.oid !== now?.oid) bytes += (old?.facts?.sizeBytes ?? 0) + (now?.facts?.sizeBytes ?? 0)
  return bytes
}

async function plainDiff(
  snapshot: Snapshot,
  before: Oid,
  after: Oid,
): Promise<{ files: FileChange[]; isTruncated: boolean }> {
  const files: FileChange[] = []
  for await (const change of diffTrees(snapshot.reader.loadTree, before, after, {
    caller: snapshot.caller,
  })) {
    if (change.isFolder) continue
    if (files.length === limits.commitFiles) return { files, isTruncated: true }
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

const counting = [
  // Larger files count as binary: their lines are not compared one by one either.
  '-c',
  `core.bigFileThreshold=${MAX_DIFF_BYTES}`,
  'diff-tree',
  '-r',
  '-z',
  '-M',
  '-l1000',
  '--no-ext-diff',
  '--no-textconv',
]

/** The same by git, with renames and line counts, as far as the budget of a read suffices. */
async function countedDiff(
  git: Git,
  snapshot: Snapshot,
  trees: Trees,
): Promise<FileChange[] | 'too-much' | 'busy'> {
  const args = [...counting, '--raw', '--numstat', ...hexOf(trees)]
  const said = await askGit(git, snapshot, args, OUTPUT_BYTES)
  return typeof said === 'string' ? said : parseRawDiff(said)
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

/** Whether the lines of a text were not counted for its size; git has called it binary. */
async function isLeftOut(snapshot: Snapshot, file: FileChange): Promise<boolean> {
  const isLarge = [file.old, file.new].some((side) => (side?.facts?.sizeBytes ?? 0) > MAX_DIFF_BYTES)
  if (!file.isBinary || !isLarge) return false
  for (const side of [file.old, file.new]) {
    const start = side && (await snapshot.readStart(side.oid, BINARY_PROBE_BYTES))
    if (start && isBinary(start)) return false
  }
  file.isBinary = false
  return true
}
