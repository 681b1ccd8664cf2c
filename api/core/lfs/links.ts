import { and, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { inBatches, type Tx } from '../../stores/db/index.ts'
import type { Pointer } from './pointer.ts'
import { findUsable, touch } from './possession.ts'
import {
  findClaimedRebuilds,
  findCompletingUploads,
  findObjects,
  findRefusedUploads,
  type Reading,
} from './queries.ts'

/** What stands between a commit or push and its pointers. */
export interface PointerCheck {
  /** Not stored, of another size, or not the caller's to use; callers never learn which of the three. */
  missing: Pointer[]
  /** Being verified or put together now for this caller: waiting may help. */
  completing: Pointer[]
  /** By SHA-256: why the last attempt of this caller to send one of the missing failed. */
  reasons: Map<string, string>
}

/**
 * Checks the pointers a commit or push brings into a repo (git-storage.md §8.3): each must be linked here already, or its
 * object must be stored with that size and be the caller's to use. Does not wait.
 */
export async function checkPointers(
  tx: Reading,
  ctx: Pick<Ctx, 'actor' | 'config' | 'now'>,
  repoId: string,
  pointers: Pointer[],
): Promise<PointerCheck> {
  const sha256s = pointers.map((pointer) => pointer.sha256)
  const linked = await findLinked(tx, repoId, sha256s)
  const known = new Map((await findObjects(tx, linked)).map((row) => [row.sha256, row]))
  const usable = await findUsable(
    tx,
    ctx,
    sha256s.filter((sha256) => !linked.has(sha256)),
  )
  const wanting = pointers.filter(
    ({ sha256, sizeBytes }) => (known.get(sha256) ?? usable.get(sha256))?.size !== sizeBytes,
  )
  const reasons = new Map<string, string>()
  if (wanting.length === 0 || ctx.actor.kind !== 'user') return { missing: wanting, completing: [], reasons }
  const owner = { repoId, userId: ctx.actor.id }
  const wanted = wanting.map((pointer) => pointer.sha256)
  const uploads = await findCompletingUploads(tx, owner.userId, wanted, ctx.now())
  const rebuilds = await findClaimedRebuilds(tx, owner, wanted)
  const refused = await findRefusedUploads(tx, owner, wanted)
  for (const { sha256, problem } of [...refused, ...rebuilds])
    if (problem) reasons.set(sha256, problem.message)
  const underWay = [...uploads, ...rebuilds.filter(({ problem }) => !problem)]
  const isCompleting = (p: Pointer) => underWay.some((u) => u.sha256 === p.sha256 && u.size === p.sizeBytes)
  return {
    missing: wanting.filter((pointer) => !isCompleting(pointer)),
    completing: wanting.filter(isCompleting),
    reasons,
  }
}

/** The SHA-256s among these that are linked in the repo. */
export async function findLinked({ q, t }: Reading, repoId: string, sha256s: string[]): Promise<Set<string>> {
  const { lfs_links: l } = t
  const rows = await inBatches(sha256s, (some) =>
    q
      .select({ sha256: l.sha256 })
      .from(l)
      .where(and(eq(l.repo_id, repoId), inArray(l.sha256, some))),
  )
  return new Set(rows.map((row) => row.sha256))
}

/**
 * Links objects to a repo in the transaction that makes their pointers reachable, after `checkPointers`. Links take the
 * place of grants, so that grants are few: every plan of an upload counts them. Answers the pointers whose object has gone
 * since: then the transaction must not commit.
 */
export async function linkPointers(
  tx: Tx,
  repoId: string,
  pointers: Pointer[],
  now: Date,
): Promise<Pointer[]> {
  const there = await touch(
    tx,
    pointers.map((pointer) => pointer.sha256),
    now,
  )
  const { lfs_links: l, lfs_grants: g } = tx.t
  await inBatches(there, async (some) => {
    await tx.q
      .insert(l)
      .values(some.map((sha256) => ({ repo_id: repoId, sha256, added_at: now })))
      .onConflictDoUpdate({ target: [l.repo_id, l.sha256], set: { added_at: now } })
    await tx.q.delete(g).where(and(eq(g.repo_id, repoId), inArray(g.sha256, some)))
    return []
  })
  return pointers.filter((pointer) => !there.has(pointer.sha256))
}

/** Forgets what a purged repo linked and what was uploaded to it; unreferenced objects go with the next `gc` jobs. */
export async function unlinkRepo({ q, t }: Tx, repoId: string): Promise<void> {
  await q.delete(t.lfs_links).where(eq(t.lfs_links.repo_id, repoId))
  await q.delete(t.lfs_grants).where(eq(t.lfs_grants.repo_id, repoId))
  await q.delete(t.lfs_absent).where(eq(t.lfs_absent.repo_id, repoId))
}
