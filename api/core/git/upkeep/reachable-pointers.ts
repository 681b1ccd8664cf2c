import { parsePointer, POINTER_MAX_BYTES, POINTER_MIN_BYTES, type Pointer } from '../../lfs/pointer.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import type { Git } from '../git.ts'
import { linesOf } from '../runner/lines.ts'
import type { GitOrder } from '../runner/runner.ts'
import { oidFromHex } from '../objects/oid.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { Overtaken, rootsOf } from './roots.ts'

/** A blob that is an LFS pointer. */
export interface PointerBlob {
  /** 40-hex. */
  oid: string
  /** One path that it has had. */
  path: string
  pointer: Pointer
}

/** Where and from what pointers are looked for; `dir` is a layout of the snapshot. */
interface Search {
  dir: string
  roots: string[]
  signal: AbortSignal
  kind?: GitOrder['kind']
}

/** Every LFS pointer that the roots lead to, the latest commits' first. */
export async function* pointerBlobs(
  git: Git,
  snapshot: Snapshot,
  { dir, roots, signal, kind = 'other' }: Search,
): AsyncGenerator<PointerBlob> {
  if (roots.length === 0) return
  // Ends both gits where the reader has seen enough.
  const over = new AbortController()
  const both = { dir, signal: AbortSignal.any([signal, over.signal]) }
  try {
    const stdin = fromChunks(Buffer.from(`${roots.join('\n')}\n`))
    const named = await git.runner.open({
      ...both,
      args: ['rev-list', '--objects', '--stdin'],
      kind,
      stdin,
    })
    const format = '--batch-check=%(objecttype) %(objectsize) %(objectname) %(rest)'
    const args = ['cat-file', format, '--buffer']
    const listed = await git.runner.open({ ...both, args, kind: 'fed', stdin: named })
    for await (const line of linesOf(listed)) {
      const [, size, oid, path] = /^blob (\d+) ([0-9a-f]{40}) (.*)$/.exec(line) ?? []
      if (oid === undefined || Number(size) < POINTER_MIN_BYTES || Number(size) >= POINTER_MAX_BYTES) continue
      const blob = await snapshot.reader.read(oidFromHex(oid))
      const pointer = blob && parsePointer(blob.content)
      if (pointer) yield { oid, path: path ?? '', pointer }
    }
  } finally {
    over.abort()
  }
}

/** SHA-256 of every LFS pointer that the roots lead to, whatever its path. */
export async function reachablePointers(git: Git, snapshot: Snapshot, search: Search): Promise<Set<string>> {
  const found = new Set<string>()
  for await (const { pointer } of pointerBlobs(git, snapshot, search)) found.add(pointer.sha256)
  return found
}

/** SHA-256 of every LFS pointer in the history of a repo's refs. Walked by git, for `git.timeout` at most. */
export function pointersInHistory(git: Git, snapshot: Snapshot, signal: AbortSignal): Promise<Set<string>> {
  const roots = snapshot.listRefs().map(({ oid }) => oid)
  return withSkeleton(git, snapshot, (dir) => reachablePointers(git, snapshot, { dir, roots, signal }))
}

/**
 * One path of each of these large files, by SHA-256, from all that a ref leads to or has led to since `keepSince`. What is
 * not found within `maxMs` has none.
 */
export async function pathsInHistory(
  git: Git,
  snapshot: Snapshot,
  sha256s: Iterable<string>,
  { keepSince, maxMs, signal }: { keepSince: Date; maxMs: number; signal: AbortSignal },
): Promise<Map<string, string>> {
  const wanted = new Set(sha256s)
  const paths = new Map<string, string>()
  if (wanted.size === 0) return paths
  const late = AbortSignal.timeout(maxMs)
  const search = { roots: await keptOids(git, snapshot, keepSince), signal: AbortSignal.any([signal, late]) }
  try {
    await withSkeleton(git, snapshot, async (dir) => {
      for await (const { pointer, path } of pointerBlobs(git, snapshot, { ...search, dir, kind: 'read' })) {
        if (wanted.delete(pointer.sha256)) paths.set(pointer.sha256, path)
        if (wanted.size === 0) return
      }
    })
  } catch (error) {
    if (!late.aborted) throw error
  }
  return paths
}

async function keptOids(git: Git, snapshot: Snapshot, keepSince: Date): Promise<string[]> {
  try {
    const { lasting, passing } = await rootsOf(git, snapshot, keepSince)
    return [...lasting, ...passing]
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
    return snapshot.listRefs().map(({ oid }) => oid)
  }
}
