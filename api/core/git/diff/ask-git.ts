import { Problem } from '../../../platform/problems/index.ts'
import { TooManyBytes } from '../../../stores/storage/index.ts'
import type { Git } from '../git.ts'
import { GitFailed } from '../runner/runner.ts'
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
export async function askGit(
  git: Git,
  snapshot: Snapshot,
  args: string[],
  maxBytes: number,
): Promise<Buffer | 'too-much' | 'busy'> {
  const late = AbortSignal.timeout(TOTAL_MS)
  const { signal: gone } = snapshot.caller
  const signal = gone ? AbortSignal.any([late, gone]) : late
  try {
    return await withSkeleton(git, snapshot, (dir) =>
      git.runner.run({ dir, args, kind: 'read', timeoutMs: RUN_MS, signal }, maxBytes),
    )
  } catch (error) {
    gone?.throwIfAborted()
    if (late.aborted || (error instanceof Problem && error.code === 'temporarily-unavailable')) return 'busy'
    if (error instanceof TooManyBytes || (error instanceof GitFailed && error.code === -1)) return 'too-much'
    throw error
  }
}

/** For answers that say nothing without git. */
export function tooBusy(): Problem {
  return new Problem('temporarily-unavailable', {
    detail: 'Many comparisons are being made at the moment. Try again in a few seconds.',
    retryAfterS: 5,
  })
}
