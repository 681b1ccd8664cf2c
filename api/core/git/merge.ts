import { Problem } from '../../platform/problems/index.ts'
import type { Git } from './git.ts'
import { isSound, readLoose } from './merged-content.ts'
import type { MergeSides, Mergeability } from './mergeability.ts'
import { oidFromHex } from './objects/oid.ts'
import { parseRawDiff } from './diff/raw-diff.ts'
import { GitFailed } from './runner/runner.ts'
import { withSkeleton } from './runner/skeleton.ts'
import type { Snapshot } from './snapshot.ts'
import { diffTrees } from './objects/tree-diff.ts'

/** What a clean merge changes of the base. `content` is of blobs that the merge itself has made. */
export type MergedFile =
  | { path: string; oid: string; mode: number; content?: Buffer }
  | { path: string; isDeleted: true }

/** Takes one change after the other; to be forgotten when the merge turns out not to be clean. */
export type TakeMerged = (file: MergedFile) => Promise<void> | void

/** Steps back along first parents before git is asked, which costs about 20 ms. */
const MAX_NEAR = 200
const MAX_CONFLICTS = 1000
const CHECK_TIMEOUT_MS = 5000
const OUTPUT_BYTES = 64 * 1024 * 1024

/** How the commits would merge, remembered since commits never change; `undefined` when finding out takes too long. */
export async function checkMerge(
  git: Git,
  snapshot: Snapshot,
  sides: MergeSides,
): Promise<Mergeability | undefined> {
  const key = `${snapshot.repoId}:${sides.base}:${sides.head}`
  const { found } = await git.merges.get(key, snapshot.caller, async (all) => {
    try {
      const value = { found: await merge(git, snapshot.readFor(all), sides, undefined, CHECK_TIMEOUT_MS) }
      return { value, isFinal: true }
    } catch (error) {
      const isLate = error instanceof GitFailed && error.code === -1
      const isBusy = error instanceof Problem && error.code === 'temporarily-unavailable'
      if (isLate || isBusy) return { value: { found: undefined }, isFinal: false }
      throw error
    }
  })
  return found
}

/** What `checkMerge` has found out before, if it is still remembered. */
export function knownMerge(git: Git, repoId: string, { base, head }: MergeSides): Mergeability | undefined {
  return git.merges.peek(`${repoId}:${base}:${head}`)?.found
}

/**
 * Merges as git does, by content and with renames followed (git-storage.md §6.6), and gives each change of the base to
 * `take`. What a merge of lines makes must be sound by itself: a pointer put together of two, or a file that git would
 * refuse, counts as a conflict.
 */
export async function merge(
  git: Git,
  snapshot: Snapshot,
  sides: MergeSides,
  take?: TakeMerged,
  timeoutMs?: number,
): Promise<Mergeability> {
  const { base, head } = sides
  if (await isNear(snapshot, base, head)) return clean(head)
  if (await isNear(snapshot, head, base)) return forward(snapshot, sides, take)
  return withSkeleton(git, snapshot, async (dir) => {
    const { signal } = snapshot.caller
    const order = {
      dir,
      ...(timeoutMs === undefined ? {} : { timeoutMs, kind: 'read' as const }),
      ...(signal && { signal }),
    }
    const parting = await git.runner.answer({ ...order, args: ['merge-base', base, head] }, [0, 1])
    const mergeBase = parting.output.toString('latin1').trim()
    if (mergeBase === head) return clean(head)
    if (mergeBase === base) return forward(snapshot, sides, take)
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages']
    const made = await git.runner.answer(
      { ...order, args: [...args, '--allow-unrelated-histories', base, head] },
      [0, 1],
      OUTPUT_BYTES,
    )
    const [tree = '', ...names] = made.output.toString('utf8').split('\0')
    const conflicts =
      made.code === 0
        ? await takeChanges(git, snapshot, { ...order, before: base, after: tree }, take)
        : names.filter((name) => name !== '')
    return {
      ...(mergeBase === '' ? {} : { mergeBase }),
      isClean: made.code === 0 && conflicts.length === 0,
      conflicts: conflicts.slice(0, MAX_CONFLICTS),
    }
  })
}

const clean = (mergeBase: string): Mergeability => ({ mergeBase, isClean: true, conflicts: [] })

async function isNear(snapshot: Snapshot, from: string, ancestor: string): Promise<boolean> {
  let at: string | undefined = from
  for (let steps = 0; at !== undefined && steps <= MAX_NEAR; steps++) {
    if (at === ancestor) return true
    at = (await snapshot.findCommit(at))?.parents[0]
  }
  return false
}

/** The head stands on the base: the result is its tree. */
async function forward(
  snapshot: Snapshot,
  { base, head }: MergeSides,
  take?: TakeMerged,
): Promise<Mergeability> {
  if (!take) return clean(base)
  const { reader } = snapshot
  const [before, after] = await Promise.all([base, head].map((sha) => reader.findCommit(oidFromHex(sha))))
  if (before && after)
    for await (const { dir, name, isFolder, new: now } of diffTrees(
      reader.loadTree,
      before.tree,
      after.tree,
    )) {
      if (isFolder) continue
      const path = dir === '' ? name : `${dir}/${name}`
      await take(now ? { path, oid: now.oid.toString('hex'), mode: now.mode } : { path, isDeleted: true })
    }
  return clean(base)
}

interface Difference {
  dir: string
  before: string
  after: string
  timeoutMs?: number
  kind?: 'read'
  signal?: AbortSignal
}

/** Gives the changes to `take`; answers the paths of those that are not sound. */
async function takeChanges(
  git: Git,
  snapshot: Snapshot,
  { dir, before, after, ...rest }: Difference,
  take?: TakeMerged,
): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before, after]
  const faulty: string[] = []
  for (const { path, new: now } of parseRawDiff(await git.runner.run({ dir, args, ...rest }, OUTPUT_BYTES))) {
    const content = now && (await readLoose(dir, now.oid, git.deps.config.git.max_blob_size))
    // A name that is not UTF-8 cannot be written back as it was.
    if (path.includes('\uFFFD') || content === 'too-large' || (content && !isSound(path, content)))
      faulty.push(path)
    else if (now) await take?.({ path, oid: now.oid, mode: now.mode, ...(content ? { content } : {}) })
    else await take?.({ path, isDeleted: true })
  }
  return faulty
}
