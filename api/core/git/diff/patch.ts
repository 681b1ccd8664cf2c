import { askGit, tooBusy } from './ask-git.ts'
import type { Git } from '../git.ts'
import type { MergeSides } from '../mergeability.ts'
import type { Snapshot } from '../snapshot.ts'

/** What no person reads to its end. */
const MAX_PATCH_BYTES = 4 * 1024 * 1024

/**
 * All that `head` changes against `base`, as git writes it; `undefined` when that is too long or takes too long. Problem
 * `temporarily-unavailable`.
 */
export async function patchBetween(
  git: Git,
  snapshot: Snapshot,
  { base, head }: MergeSides,
): Promise<string | undefined> {
  if (base === head) return ''
  const options = ['-r', '-p', '-M', '-l1000', '--no-color', '--no-ext-diff', '--no-textconv']
  const key = `${snapshot.repoId}:${base}:${head}`
  const { patch } = await git.patches.get(key, snapshot.caller, async (all) => {
    const said = await askGit(
      git,
      snapshot.readFor(all),
      ['diff-tree', ...options, base, head],
      MAX_PATCH_BYTES,
    )
    if (said === 'busy') throw tooBusy()
    return said === 'too-much'
      ? { value: { patch: undefined }, isFinal: false }
      : { value: { patch: said.toString('utf8') }, isFinal: true }
  })
  return patch
}
