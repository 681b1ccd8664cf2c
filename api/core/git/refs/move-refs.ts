import type { Tx } from '../../../stores/db/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Git } from '../git.ts'
import { writeOf, type Write } from '../packs/catalogue.ts'
import { moveRef, type RefMove } from './move-ref.ts'
import type { RefChange, RefRows, RefTarget } from './listener.ts'

/** Further rows of the transaction that moves refs; it may run again after a lost race. */
export interface MoveRows {
  /** Before the refs move: the pack that becomes live, the rights that are asked again. */
  before?: (tx: Tx) => Promise<void>
  after?: (tx: Tx, moves: readonly RefMove[]) => Promise<void>
  /** Of a job: its own transaction. */
  write?: Write
  /** What to throw when one ref cannot move. */
  refused?: (ref: string, problem: Problem) => Error
}

/**
 * Moves refs of a repo in one transaction, with the rows of all listeners: the one place where refs move. Answers the
 * moves under their final names. Problems and errors: those of `moveRef`.
 */
export async function moveRefs(
  git: Git,
  change: RefChange,
  { before, after, write = writeOf(git), refused }: MoveRows = {},
): Promise<readonly RefMove[]> {
  const rows: RefRows[] = []
  for (const follow of git.deps.refListeners) {
    const listening = await follow(git.deps, change)
    if (listening) rows.push(listening)
  }
  return write(async (tx) => {
    for (const { before: hold } of rows) await hold?.(tx)
    await before?.(tx)
    const moves: RefMove[] = []
    for (const target of change.moves) moves.push(await moveOf(tx, git, change, target))
    for (const move of inOrder(moves)) {
      await moveRef(tx, move).catch((error: unknown) => {
        throw refused && error instanceof Problem ? refused(move.name, error) : error
      })
    }
    for (const { after: add } of rows) await add?.(tx, moves)
    await after?.(tx, moves)
    return moves
  })
}

async function moveOf(
  tx: Tx,
  git: Git,
  { snapshot: { repoId, pruneSeq, defaultBranch }, via, userId }: RefChange,
  { name, ...target }: RefTarget,
): Promise<RefMove> {
  const given = typeof name === 'string' ? name : await name(tx)
  const by = userId === undefined ? {} : { userId }
  return { repoId, pruneSeq, defaultBranch, via, at: git.deps.now(), ...by, ...target, name: given }
}

/** Deletions first: one push may replace the branch `a` by `a/b`. */
const inOrder = (moves: RefMove[]) =>
  moves.toSorted((a, b) => Number(a.to !== undefined) - Number(b.to !== undefined))
