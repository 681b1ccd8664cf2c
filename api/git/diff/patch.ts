import { TooManyBytes } from '../../storage/index.ts'
import type { Git } from '../git.ts'
import type { MergeSides } from '../mergeability.ts'
import { GitFailed } from '../runner/runner.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'

/** What no person reads to its end. */
const MAX_PATCH_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 10_000

/** All that `head` changes against `base`, as git writes it; `undefined` when that is too long or takes too long. */
export async function patchBetween(
  git: Git,
  snapshot: Snapshot,
  { base, head }: MergeSides,
): Promise<string | undefined> {
  if (base === head) return ''
  const args = [
    'diff-tree',
    '-r',
    '-p',
    '-M',
    '-l1000',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    base,
    head,
  ]
  try {
    const patch = await withSkeleton(git, snapshot, (dir) =>
      git.runner.run({ dir, args, timeoutMs: TIMEOUT_MS }, MAX_PATCH_BYTES),
    )
    return patch.toString('utf8')
  } catch (error) {
    if (error instanceof TooManyBytes || (error instanceof GitFailed && error.code === -1)) return undefined
    throw error
  }
}
