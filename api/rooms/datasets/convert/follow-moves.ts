import type { RefListener } from '../../../core/git/index.ts'
import { queueConversion } from './job.ts'

/** Has a dataset converted whenever its default branch moves. */
export const convertMoves: RefListener = async (
  deps,
  { snapshot: { repoId, repoType, defaultBranch }, moves },
) => {
  if (repoType !== 'dataset') return undefined
  const isHead = moves.some(({ name, to }) => name === `refs/heads/${defaultBranch}` && to !== undefined)
  return isHead ? { after: (tx) => queueConversion(tx, deps, repoId) } : undefined
}
