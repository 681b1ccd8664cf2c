import type { RefListener } from '../../../core/git/index.ts'
import { factsOfCommit, factsOfMove } from './facts.ts'
import { recordHead } from '../../repos/index.ts'

/** Keeps the facts of the default branch's head with every move of it. */
export const followHead: RefListener = async (_deps, { snapshot, moves, made }) => {
  const { repoId, defaultBranch } = snapshot
  const head = moves.find(({ name }) => name === `refs/heads/${defaultBranch}`)
  if (head?.to === undefined) return undefined
  const { from, to } = head
  const facts = made
    ? await factsOfCommit({ parent: from, changes: made.changes }, snapshot, made.blob)
    : await factsOfMove(snapshot, { from, to })
  return {
    async after(tx) {
      await recordHead(tx, { repoId, defaultBranch }, facts)
    },
  }
}
