import { Problem } from '../../platform/problems/index.ts'
import { makeLive } from './packs/catalogue.ts'
import type { Git } from './git.ts'
import { serializeTag, type Person } from './objects/objects.ts'
import { oidFromHex } from './objects/oid.ts'
import { PackWriter } from './packs/pack-writer.ts'
import type { Via } from './refs/move-ref.ts'
import { moveRefs } from './refs/move-refs.ts'
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
}

/** Makes a tag. Problems: `revision-not-found`, `already-exists`. */
export async function createTag(git: Git, snapshot: Snapshot, request: TagRequest): Promise<void> {
  if (!(await snapshot.findCommit(request.commit))) throw new Problem('revision-not-found')
  const { name, commit, message, tagger, userId, via } = request
  const by = userId === undefined ? { via } : { via, userId }
  const ref = `refs/tags/${name}`
  if (!message) {
    await moveRefs(git, { snapshot, moves: [{ name: ref, to: commit }], ...by })
    return
  }
  const writer = new PackWriter(git.store.tempDir)
  try {
    const tag = serializeTag({ object: oidFromHex(commit), type: 'commit', name, tagger, message })
    const to = (await writer.add('tag', tag)).toString('hex')
    const pack = await writer.finish()
    await withPack(git, { repoId: snapshot.repoId, pack, source: 'insert' }, async (row) => {
      const moves = [{ name: ref, to, peeled: commit }]
      await moveRefs(git, { snapshot, moves, ...by }, { before: (tx) => makeLive(tx, row) })
    })
  } finally {
    await writer.dispose()
  }
}
