import { parsePointer, POINTER_MAX_BYTES, POINTER_MIN_BYTES } from '../../lfs/pointer.ts'
import { fromChunks } from '../../storage/index.ts'
import type { Git } from '../git.ts'
import { linesOf } from '../runner/lines.ts'
import { oidFromHex } from '../objects/oid.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'

/** SHA-256 of every LFS Pointer that the roots lead to, whatever its path. `dir` is a layout of the snapshot. */
export async function reachablePointers(
  git: Git,
  snapshot: Snapshot,
  { dir, roots, signal }: { dir: string; roots: string[]; signal: AbortSignal },
): Promise<Set<string>> {
  const found = new Set<string>()
  if (roots.length === 0) return found
  const named = await git.runner.open({
    dir,
    args: ['rev-list', '--objects', '--no-object-names', '--stdin'],
    stdin: fromChunks(Buffer.from(`${roots.join('\n')}\n`)),
    signal,
  })
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)', '--buffer']
  const listed = await git.runner.open({ dir, args, kind: 'fed', stdin: named, signal })
  for await (const line of linesOf(listed)) {
    const [, oid, size] = /^([0-9a-f]{40}) blob (\d+)$/.exec(line) ?? []
    if (oid === undefined || Number(size) < POINTER_MIN_BYTES || Number(size) >= POINTER_MAX_BYTES) continue
    const blob = await snapshot.reader.read(oidFromHex(oid))
    const pointer = blob && parsePointer(blob.content)
    if (pointer) found.add(pointer.sha256)
  }
  return found
}

/** SHA-256 of every LFS Pointer in the history of a Repo's refs. Walked by git, for `git.timeout` at most. */
export function pointersInHistory(git: Git, snapshot: Snapshot, signal: AbortSignal): Promise<Set<string>> {
  const roots = snapshot.listRefs().map(({ oid }) => oid)
  return withSkeleton(git, snapshot, (dir) => reachablePointers(git, snapshot, { dir, roots, signal }))
}
