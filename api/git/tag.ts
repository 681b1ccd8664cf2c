import type { Tx } from '../db/index.ts'
import { publishMoves } from '../events/index.ts'
import { Problem } from '../problems/index.ts'
import { makeLive } from './packs/catalogue.ts'
import type { Git } from './git.ts'
import { serializeTag, type Person } from './objects/objects.ts'
import { oidFromHex } from './objects/oid.ts'
import { PackWriter } from './packs/pack-writer.ts'
import { moveRef, type Via } from './refs.ts'
import type { Snapshot } from './snapshot.ts'
import { withPack } from './packs/stored-pack.ts'

/** A tag to be made. Without a message it is a plain ref to the commit. */
export interface TagRequest {
  /** Short name, checked by `validateBranchOrTag` before. */
  name: string
  /** The commit, 40-hex. */
  commit: string
  message?: string
  tagger: Person
  userId?: string
  via: Via
  /** Further rows of the same transaction. */
  alongside?: (tx: Tx) => Promise<void>
}

/** Makes a tag. Problems: `revision-not-found`, `already-exists`. */
export async function createTag(git: Git, snapshot: Snapshot, request: TagRequest): Promise<void> {
  if (!(await snapshot.findCommit(request.commit))) throw new Problem('revision-not-found')
  const { name, commit, message, tagger, userId, via, alongside } = request
  const ref = {
    repoId: snapshot.repoId,
    name: `refs/tags/${name}`,
    pruneSeq: snapshot.pruneSeq,
    defaultBranch: snapshot.defaultBranch,
    via,
    at: git.deps.now(),
  }
  const by = userId === undefined ? {} : { userId }
  if (!message) {
    await git.deps.db.write(async (tx) => {
      await moveRef(tx, { ...ref, ...by, to: commit })
      await publishMoves(tx, git.deps, [{ ...ref, to: commit }])
      await alongside?.(tx)
    })
    return
  }
  const writer = new PackWriter(git.store.tempDir)
  try {
    const tag = serializeTag({ object: oidFromHex(commit), type: 'commit', name, tagger, message })
    const to = (await writer.add('tag', tag)).toString('hex')
    await withPack(
      git,
      { repoId: snapshot.repoId, pack: await writer.finish(), source: 'insert' },
      async (row) => {
        await git.deps.db.write(async (tx) => {
          await makeLive(tx, row)
          await moveRef(tx, { ...ref, ...by, to, peeled: commit })
          await publishMoves(tx, git.deps, [{ ...ref, to }])
          await alongside?.(tx)
        })
      },
    )
  } finally {
    await writer.dispose()
  }
}
