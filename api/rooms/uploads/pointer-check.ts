import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import type { Snapshot } from '../../core/git/index.ts'
import { findAbsent, findLinked } from '../../core/lfs/index.ts'

/** Blobs described and looked up together. */
const BATCH = 500

/**
 * Every pointer at the head of every ref must be linked in its repo: without the link its bytes are not served. What a
 * mirror has never held is not lost.
 */
export const pointerCheck: Check = {
  name: 'pointers',
  async *run(deps, options) {
    for (const repoId of await repoIds(deps, options)) yield* checkRepo(deps, repoId, options)
  },
}

async function repoIds({ db: { q, t } }: Deps, { repoId }: CheckOptions): Promise<string[]> {
  if (repoId !== undefined) return [repoId]
  const rows = await q.select({ id: t.repos.id }).from(t.repos).orderBy(t.repos.id)
  return rows.map(({ id }) => id)
}

async function* checkRepo(deps: Deps, repoId: string, options: CheckOptions): AsyncGenerator<Finding> {
  const snapshot = await deps.git.openFresh(repoId, options)
  for await (const files of headFiles(snapshot)) {
    const facts = await snapshot.describe(files.map(({ oid }) => oid))
    const pointed = files.flatMap(({ path }, i) => {
      const pointer = facts[i]?.pointer
      return pointer ? [{ path, sha256: pointer.sha256 }] : []
    })
    const linked = await findLinked(
      deps.db,
      repoId,
      pointed.map(({ sha256 }) => sha256),
    )
    const unlinked = pointed.filter((file) => !linked.has(file.sha256))
    const shas = unlinked.map(({ sha256 }) => sha256)
    const absent = await findAbsent(deps.db, repoId, shas, deps.now())
    for (const { path, sha256 } of unlinked.filter((file) => !absent.has(file.sha256)))
      yield {
        check: 'lfs.pointer',
        severity: 'error',
        message: `${path} points to ${sha256}, which is not linked here`,
        repo_id: repoId,
      }
  }
}

/** Every distinct blob at the heads of the refs, in batches. */
async function* headFiles(snapshot: Snapshot): AsyncGenerator<{ path: string; oid: string }[]> {
  const seen = new Set<string>()
  let batch: { path: string; oid: string }[] = []
  for (const ref of snapshot.listRefs()) {
    const root = (await snapshot.findCommit(ref.commit))?.tree
    if (root === undefined) continue
    for await (const { path, oid } of snapshot.distinctFiles(root, seen)) {
      if (batch.push({ path, oid }) < BATCH) continue
      yield batch
      batch = []
    }
  }
  yield batch
}
