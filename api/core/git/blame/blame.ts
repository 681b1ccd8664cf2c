import { askGit, tooBusy } from '../diff/ask-git.ts'
import { countLines, isBinary, MAX_DIFF_BYTES, MAX_DIFF_LINES } from '../diff/file-diff.ts'
import type { Finding } from '../diff/remembered.ts'
import type { Git } from '../git.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Blame, NoBlame } from './found-blame.ts'
import { readBlame } from './read-blame.ts'

/** Ids, numbers and paths of all ranges. */
const OUTPUT_BYTES = 8 * 1024 * 1024

/** A file as it is at a commit; `oid` is its blob. */
export interface BlamedFile {
  sha: string
  path: string
  oid: string
}

/** Where the lines of a file come from; renames of the whole file are followed. Problem `temporarily-unavailable`. */
export async function blameFile(git: Git, snapshot: Snapshot, file: BlamedFile): Promise<Blame | NoBlame> {
  if (((await snapshot.blobSize(file.oid)) ?? 0) > MAX_DIFF_BYTES) return 'too-large'
  // The history of a mirror grows at its old end as well, once the whole of it is fetched.
  const key = `${snapshot.repoId}:${snapshot.shallow.size}:${file.sha}:${file.path}`
  return git.blames.get(key, snapshot.caller, (all) => find(git, snapshot.readFor(all), file))
}

async function find(
  git: Git,
  snapshot: Snapshot,
  { sha, path, oid }: BlamedFile,
): Promise<Finding<Blame | NoBlame>> {
  const content = await snapshot.readBlob(oid, MAX_DIFF_BYTES)
  if (isBinary(content)) return { value: 'binary', isFinal: true }
  const lineCount = countLines(content)
  const isTruncated = lineCount > MAX_DIFF_LINES
  // git refuses to count the lines of a file without any.
  if (lineCount === 0) return { value: { ranges: [], lineCount, isTruncated }, isFinal: true }
  const args = [
    '-c',
    'core.quotePath=false',
    'blame',
    '--incremental',
    '--no-textconv',
    '-L',
    `1,${Math.min(lineCount, MAX_DIFF_LINES)}`,
    sha,
    '--',
    path,
  ]
  const said = await askGit(git, snapshot, args, OUTPUT_BYTES)
  if (said === 'busy') throw tooBusy()
  if (said === 'too-much') return { value: 'takes-too-long', isFinal: false }
  const ranges = await readBlame(said, snapshot.caller)
  return { value: { ranges, lineCount, isTruncated }, isFinal: true }
}
