import { makeLive } from './packs/catalogue.ts'
import type { KnownBlob } from './known-blob.ts'
import type { CommitRequest } from './commit-request.ts'
import type { Git } from './git.ts'
import { indexCommit } from './history/history-index.ts'
import type { Commit } from './objects/objects.ts'
import type { Oid } from './objects/oid.ts'
import type { FinishedPack } from './packs/finished-pack.ts'
import { moveRefs } from './refs/move-refs.ts'
import type { Snapshot } from './snapshot.ts'
import { withPack } from './packs/stored-pack.ts'
import { shallowestChanges, type ListChanges } from './history/shallowest-changes.ts'

/** A finished commit on its way to a ref. */
export interface Landing {
  request: CommitRequest
  /** What is known of the blobs it brings. */
  blob: (oid: string) => KnownBlob | undefined
  oid: Oid
  commit: Commit
  /** What the commit changes in its first parent, and in the head it takes the place of. */
  changes: ListChanges
  sinceHead: ListChanges
  /** Where the ref is; absent when it is to be made. */
  head?: string
}

/**
 * Stores the pack, then moves the ref with everything that belongs to the commit in one transaction. On any error
 * nothing is visible and the pack is discarded. Answers the ref's name.
 */
export async function land(
  git: Git,
  snapshot: Snapshot,
  pack: FinishedPack,
  landing: Landing,
): Promise<string> {
  return withPack(git, { repoId: snapshot.repoId, pack, source: 'insert' }, async (row) => {
    const { request, oid, commit, changes, sinceHead, head, blob } = landing
    const { repoId } = snapshot
    const { via, alongside, userId, authorId = userId, write } = request
    const indexed = await shallowestChanges(changes)
    const account = authorId === undefined ? {} : { userId: authorId }
    const sha = oid.toString('hex')
    const [first] = commit.parents
    const parent = first && { parent: first.toString('hex') }
    const target = { name: request.ref, to: sha, ...(head && { from: head }) }
    const by = userId === undefined ? {} : { userId }
    const made = { changes: sinceHead, blob }
    const moves = await moveRefs(
      git,
      { snapshot, moves: [target], via, ...by, made },
      {
        ...(write && { write }),
        before: (tx) => makeLive(tx, row),
        after: async (tx, [move]) => {
          const ref = move?.name ?? ''
          await indexCommit(tx, { repoId, oid, commit, changes: indexed, ref, ...account })
          await alongside?.(tx, { sha, ref, changes, ...parent })
        },
      },
    )
    return moves[0]?.name ?? ''
  })
}
