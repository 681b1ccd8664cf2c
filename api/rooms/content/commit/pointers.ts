import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../../core/ctx.ts'
import { checkPointers, type Pointer } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { verifyArrived } from '../../uploads/index.ts'
import { lfsMissing } from './file-problems.ts'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 250

/**
 * Waits until every pointer a commit brings may be used here (git-storage.md §8.3). Problem `lfs-object-missing` for
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
  let lost = new Set<string>()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const wanted = [...new Map([...pointers.values()].map((pointer) => [keyOf(pointer), pointer])).values()]
    const { missing, completing, reasons } = await checkPointers(ctx.db, ctx, repoId, wanted)
    if (missing.length === 0 && completing.length === 0) return
    const isLost = missing.length > 0 && !(await verifyOwn(ctx, repoId, missing))
    // An object whose verification ends between two statements of one look is in neither answer. It is there at the
    // next look, so only what two looks in a row lack is missing. Each look may hit the end of another object.
    if (isLost && missing.some((pointer) => lost.has(keyOf(pointer))))
      throw lfsMissing(filesOf(pointers, missing), reasons)
    lost = new Set(isLost ? missing.map(keyOf) : [])
    if (isLost) continue
    if (performance.now() >= deadline || ctx.stopping.aborted)
      throw new Problem('temporarily-unavailable', {
        detail: `Large files are still being verified: ${filesOf(pointers, [...completing, ...missing])
          .slice(0, 10)
          .map(({ path }) => `"${path}"`)
          .join(', ')}. Send the same request again.`,
        retryAfterS: 10,
      })
    await pause(pauseMs)
  }
}

/** Has verified what this caller put into the bucket; `false` when there is nothing of it. */
async function verifyOwn(ctx: Ctx, repoId: string, missing: Pointer[]): Promise<boolean> {
  if (ctx.actor.kind !== 'user') return false
  return verifyArrived(ctx, { repoId, userId: ctx.actor.id }, missing)
}

const keyOf = ({ sha256, sizeBytes }: Pointer) => `${sha256}/${sizeBytes}`

/** Paths of the pointers among `some`. */
export function filesOf(
  pointers: ReadonlyMap<string, Pointer>,
  some: Pointer[],
): { path: string; sha256: string }[] {
  const keys = new Set(some.map((pointer) => keyOf(pointer)))
  return [...pointers].flatMap(([path, pointer]) =>
    keys.has(keyOf(pointer)) ? [{ path, sha256: pointer.sha256 }] : [],
  )
}
