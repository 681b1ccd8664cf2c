import { and, eq, inArray } from 'drizzle-orm'
import { inBatches, type Tx } from '../../stores/db/index.ts'
import { linkPointers } from './links.ts'
import type { Pointer } from './pointer.ts'
import type { Reading } from './queries.ts'

/*
 * Pointers of a mirror whose bytes have never been here. They are listed and cannot be downloaded, and `fsck` tells them
 * from bytes that were lost. A row goes when the bytes come, by a pull or an upload.
 */

/** How a repo stands to bytes that are not here. */
export type Absence = 'missing' | 'pulling'

/** Notes that these pointers of a repo have no bytes here yet. */
export async function markAbsent(
  { q, t: { lfs_absent: a } }: Tx,
  repoId: string,
  pointers: Iterable<Pointer>,
  now: Date,
): Promise<void> {
  const rows = new Map(
    [...pointers].map(({ sha256, sizeBytes }) => [
      sha256,
      { repo_id: repoId, sha256, size: sizeBytes, since: now },
    ]),
  )
  await inBatches(rows.values(), async (some) => {
    await q.insert(a).values(some).onConflictDoNothing()
    return []
  })
}

/** Which of `sha256s` a repo names without having their bytes, and whether these are on their way. */
export async function findAbsent(
  { q, t: { lfs_absent: a } }: Reading,
  repoId: string,
  sha256s: Iterable<string>,
  now: Date,
): Promise<Map<string, Absence>> {
  const rows = await inBatches(sha256s, (some) =>
    q
      .select({ sha256: a.sha256, until: a.pulling_until })
      .from(a)
      .where(and(eq(a.repo_id, repoId), inArray(a.sha256, some))),
  )
  return new Map(
    rows.map(({ sha256, until }) => [sha256, until !== null && until > now ? 'pulling' : 'missing']),
  )
}

/** Says until when the bytes of a pointer count as on their way; `null` when they no longer are. */
export async function markPulling(
  { q, t: { lfs_absent: a } }: Tx,
  repoId: string,
  sha256s: Iterable<string>,
  until: Date | null,
): Promise<void> {
  await inBatches(sha256s, async (some) => {
    await q
      .update(a)
      .set({ pulling_until: until })
      .where(and(eq(a.repo_id, repoId), inArray(a.sha256, some)))
    return []
  })
}

/**
 * Links bytes that have come to a repo that was without them. Answers how many pointers waited for them; none where the
 * repo never lacked them.
 */
export async function linkArrived(
  tx: Tx,
  repoId: string,
  sha256s: Iterable<string>,
  now: Date,
): Promise<number> {
  const { q, t } = tx
  const { lfs_absent: a } = t
  const rows = await inBatches(sha256s, (some) =>
    q
      .delete(a)
      .where(and(eq(a.repo_id, repoId), inArray(a.sha256, some)))
      .returning({ sha256: a.sha256, sizeBytes: a.size }),
  )
  await linkPointers(tx, repoId, rows, now)
  return rows.length
}
