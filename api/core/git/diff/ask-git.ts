import { Problem } from '../../../platform/problems/index.ts'
import { TooManyBytes } from '../../../stores/storage/index.ts'
import type { Git } from '../git.ts'
import { GitFailed, type GitOrder } from '../runner/runner.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'

/** How long git may work for one reader. */
const RUN_MS = 3000
/** As long, and waiting for other readers' gits. */
const TOTAL_MS = 8000

/**
 * What git says to a reader within the budget of a read: three seconds, `maxBytes`, and the few processes that all readers
 * share; it ends with the snapshot's caller. `too-much` when it does not suffice; `busy` when others used it up.
 */
export function askGit(
  git: Git,
  snapshot: Snapshot,
  args: string[],
  maxBytes: number,
): Promise<Buffer | 'too-much' | 'busy'> {
  return withinBudget(git, snapshot, args, (order) => git.runner.run(order, maxBytes))
}

/** As `askGit`, with `use` to start the git and to read what it says. */
export async function withinBudget<T>(
  git: Git,
  snapshot: Snapshot,
  args: string[],
  use: (order: GitOrder) => Promise<T>,
): Promise<T | 'too-much' | 'busy'> {
  const late = AbortSignal.timeout(TOTAL_MS)
  const { signal: gone } = snapshot.caller
  const signal = gone ? AbortSignal.any([late, gone]) : late
  try {
    return await withSkeleton(git, snapshot, (dir) =>
      use({ dir, args, kind: 'read', timeoutMs: RUN_MS, signal }),
    )
  } catch (error) {
    gone?.throwIfAborted()
    if (late.aborted || (error instanceof Problem && error.code === 'temporarily-unavailable')) return 'busy'
    if (error instanceof TooManyBytes || isLate(error)) return 'too-much'
    throw error
  }
}

/** Whether a git was stopped because its time was over: it has no exit code. */
export const isLate = (error: unknown) => error instanceof GitFailed && error.code === -1

/** For answers that say nothing without git. */
export function tooBusy(): Problem {
  return new Problem('temporarily-unavailable', {
    detail: 'Many comparisons are being made at the moment. Try again in a few seconds.',
    retryAfterS: 5,
  })
}
