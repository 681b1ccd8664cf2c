import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../ctx.ts'
import { checkPointers, type Pointer } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import { lfsMissing } from './file-problems.ts'

const POLL_MS = 250

/**
 * Waits until every Pointer a commit brings may be used here (git-storage.md §8.3). Problem `lfs-object-missing` for
 * those that may not, `temporarily-unavailable` when one is still being verified after `waitMs` or the
 * server stops.
 */
export async function requirePointers(
  ctx: Ctx,
  repoId: string,
  pointers: ReadonlyMap<string, Pointer>,
  waitMs: number,
): Promise<void> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const wanted = [...new Map([...pointers.values()].map((pointer) => [keyOf(pointer), pointer])).values()]
    const { missing, completing, reasons } = await checkPointers(ctx.db, ctx, repoId, wanted)
    if (missing.length > 0) throw lfsMissing(filesOf(pointers, missing), reasons)
    if (completing.length === 0) return
    if (performance.now() >= deadline || ctx.stopping.aborted)
      throw new Problem('temporarily-unavailable', {
        detail: `Large files are still being verified: ${filesOf(pointers, completing)
          .slice(0, 10)
          .map(({ path }) => `"${path}"`)
          .join(', ')}. Send the same request again.`,
        retryAfterS: 10,
      })
    await pause(POLL_MS)
  }
}

const keyOf = ({ sha256, sizeBytes }: Pointer) => `${sha256}/${sizeBytes}`

/** Paths of the Pointers among `some`. */
export function filesOf(
  pointers: ReadonlyMap<string, Pointer>,
  some: Pointer[],
): { path: string; sha256: string }[] {
  const keys = new Set(some.map((pointer) => keyOf(pointer)))
  return [...pointers].flatMap(([path, pointer]) =>
    keys.has(keyOf(pointer)) ? [{ path, sha256: pointer.sha256 }] : [],
  )
}
