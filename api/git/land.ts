import { publishMoves } from '../events/index.ts'
import { makeLive } from './packs/catalogue.ts'
import type { CommitRequest, MadeCommit } from './commit-request.ts'
import type { Git } from './git.ts'
import { indexCommit } from './history/history-index.ts'
import type { Commit } from './objects/objects.ts'
import type { Oid } from './objects/oid.ts'
import type { FinishedPack } from './packs/finished-pack.ts'
import { moveRef } from './refs.ts'
import type { Snapshot } from './snapshot.ts'
import { withPack } from './packs/stored-pack.ts'
import { shallowestChanges, type ListChanges } from './history/shallowest-changes.ts'

/** A finished commit on its way to a ref. */
export interface Landing {
  request: CommitRequest
  oid: Oid
  commit: Commit
  changes: ListChanges
  /** Where the ref is; absent when it is to be made. */
  head?: string
}

/**
 * Stores the pack, then moves the ref with everything that belongs to the commit in one transaction. On any error
 * nothing is visible and the pack is given up. Answers the ref's name.
 */
export async function land(
  git: Git,
  snapshot: Snapshot,
  pack: FinishedPack,
  landing: Landing,
): Promise<string> {
  return withPack(git, { repoId: snapshot.repoId, pack, source: 'insert' }, async (row) => {
    const { request, oid, commit, changes, head } = landing
    const { repoId, pruneSeq, defaultBranch } = snapshot
    const { via, alongside, userId, authorId = userId } = request
    const at = git.deps.now()
    const indexed = await shallowestChanges(changes)
    const user = userId === undefined ? {} : { userId }
    const account = authorId === undefined ? {} : { userId: authorId }
    const sha = oid.toString('hex')
    const parent = commit.parents[0]?.toString('hex')
    return git.deps.db.write(async (tx) => {
      await makeLive(tx, row)
      const ref = typeof request.ref === 'string' ? request.ref : await request.ref(tx)
      const made: MadeCommit = { sha, ref, changes, ...(parent && { parent }) }
      const move = { repoId, name: ref, ...(head && { from: head }), to: sha }
      await moveRef(tx, { ...move, pruneSeq, defaultBranch, via, at, ...user })
      await publishMoves(tx, git.deps, [move])
      await indexCommit(tx, { repoId, oid, commit, changes: indexed, ref, ...account })
      await alongside?.(tx, made)
      return ref
    })
  })
}
