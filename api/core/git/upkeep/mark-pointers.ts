import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../../stores/db/index.ts'
import { dropLinks, listLinks } from '../../lfs/index.ts'
import type { Write } from '../packs/catalogue.ts'
import { reachablePointers } from './reachable-pointers.ts'
import { leadFurther, rootsOf } from './roots.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'

/** Links of one transaction. */
const PAGE = 500

/**
 * Removes the links of a repo to large files whose pointers no root leads to (git-storage.md §7), and notes for which refs
 * that was done unless it must be done again when what they led to lately is no root any more. As soon as a ref moves it
 * stops, and links made meanwhile stay. Answers how many links went.
 */
export async function markPointers(
  ctx: Ctx,
  repoId: string,
  { keepSince, write, signal }: { keepSince: Date; write: Write; signal: AbortSignal },
): Promise<number> {
  const { git, db } = ctx
  const began = ctx.now()
  const snapshot = await git.openFresh(repoId)
  if ((await listLinks(db, repoId, { after: '', limit: 1 })).length === 0) {
    await write((tx) => isUnmoved(tx, snapshot, true))
    return 0
  }
  const { lasting, passing } = await rootsOf(git, snapshot, keepSince)
  const roots = [...lasting, ...passing]
  const { pointers, isFinal } = await withSkeleton(git, snapshot, async (dir) => ({
    pointers: await reachablePointers(git, snapshot, { dir, roots, signal }),
    isFinal: !(await leadFurther(git, dir, { tips: passing, roots: lasting, signal })),
  }))
  return dropStale(snapshot, { db, pointers, isFinal, began, write, signal })
}

interface Marked {
  db: Db
  pointers: Set<string>
  isFinal: boolean
  began: Date
  write: Write
  signal: AbortSignal
}

/** Page by page. */
async function dropStale(
  snapshot: Snapshot,
  { db, pointers, isFinal, began, write, signal }: Marked,
): Promise<number> {
  const { repoId } = snapshot
  let dropped = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const page = await listLinks(db, repoId, { after, limit: PAGE })
    const stale = page.filter((sha256) => !pointers.has(sha256))
    const last = page.at(-1)
    if (stale.length > 0 || (last === undefined && isFinal)) {
      const gone = await write(async (tx) =>
        (await isUnmoved(tx, snapshot, last === undefined)) ? dropLinks(tx, repoId, stale, began) : undefined,
      )
      if (gone === undefined) return dropped
      dropped += gone
    }
    if (last === undefined) return dropped
    after = last
  }
}

/** Holds the repo's row, so that no ref moves before the transaction ends; at the end notes what was marked. */
async function isUnmoved(
  { q, t: { git_repos } }: Tx,
  { repoId, refSeq }: Snapshot,
  isEnd: boolean,
): Promise<boolean> {
  const held = await q
    .update(git_repos)
    .set({ lfs_marked_seq: isEnd ? refSeq : sql`${git_repos.lfs_marked_seq}` })
    .where(and(eq(git_repos.repo_id, repoId), eq(git_repos.ref_seq, refSeq)))
    .returning({ id: git_repos.repo_id })
  return held.length > 0
}
