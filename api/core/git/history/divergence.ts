import { askGit } from '../diff/ask-git.ts'
import type { Git } from '../git.ts'
import type { MergeSides } from '../mergeability.ts'
import type { Snapshot } from '../snapshot.ts'

/** How many commits each of two histories has that the other has not. */
export interface Divergence {
  /** Of the head. */
  ahead: number
  /** Of the base. */
  behind: number
}

/** Counts by git; `undefined` when that takes too long. */
export async function divergenceOf(
  git: Git,
  snapshot: Snapshot,
  { base, head }: MergeSides,
): Promise<Divergence | undefined> {
  if (base === head) return { ahead: 0, behind: 0 }
  const said = await askGit(git, snapshot, ['rev-list', '--left-right', '--count', `${base}...${head}`], 1024)
  if (said === 'busy' || said === 'too-much') return undefined
  const [behind = 0, ahead = 0] = said.toString('latin1').trim().split(/\s+/).map(Number)
  return { ahead, behind }
}
