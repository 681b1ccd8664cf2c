import { and, eq, inArray } from 'drizzle-orm'
import { namespaceRole } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { inBatches, type Tx } from '../../../stores/db/index.ts'
import { lockNamespace, requireWithinQuota, usedAtMost, usedBytes } from '../../namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'

/** What is about to come into a repo. */
export interface Wanted {
  /** Of what is certainly new. */
  bytes?: number
  /** Large files, which count only where the namespace does not hold them yet. */
  objects?: { sha256: string; sizeBytes: number }[]
}

/** Has the quota looked at once more by the transaction that brings what there was room for, when all of it is there. */
export type QuotaCheck = (tx: Tx) => Promise<void>

/**
 * Throws `quota-exceeded` when the repo's namespace would hold more than its quota with what is about to come. One small
 * query where there is no quota, and all that it holds is counted where it may not have the room alone. Of two that come
 * at once and fit one by one, the check it answers, where there is anything to check, refuses the later.
 */
export async function requireQuota(
  ctx: Ctx,
  repoId: string,
  wanted: Wanted,
): Promise<QuotaCheck | undefined> {
  if (!wanted.bytes && !wanted.objects?.length) return undefined
  const { repos, namespaces } = ctx.db.t
  const [space] = await ctx.db.q
    .select({ id: namespaces.id, name: namespaces.name, quota: namespaces.quota_bytes })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(eq(repos.id, repoId))
  if (!space || space.quota === null) return undefined
  // A refusal must not reveal what lies in repos that the caller does not see.
  const isMember = namespaceRole(ctx.actor, space) !== null
  const bytes = (wanted.bytes ?? 0) + (await bytesOfNew(ctx, space.id, wanted.objects ?? [], isMember))
  if (bytes === 0) return undefined
  const check: QuotaCheck = (tx) => requireHeldQuota(ctx, tx, repoId, { bytes, isMember })
  if ((await usedAtMost(ctx.db, space.id)) + bytes <= space.quota) return check
  const used = (await usedBytes(ctx.db, [space.id])).get(space.id) ?? 0
  if (used + bytes <= space.quota) return check
  throw new Problem('quota-exceeded', {
    detail: isMember
      ? `${space.name} holds ${used} of at most ${space.quota} bytes, and this would add ${bytes}.`
      : overQuota(space.name, bytes),
  })
}

const overQuota = (name: string, bytes: number) => `${name} has no room for ${bytes} more bytes.`

/** The namespace is held, so that on Postgres too one counts what the other has brought. */
async function requireHeldQuota(
  { db }: Ctx,
  tx: Tx,
  repoId: string,
  { bytes, isMember }: { bytes: number; isMember: boolean },
): Promise<void> {
  const { repos } = tx.t
  const [repo] = await tx.q.select({ ns: repos.namespace_id }).from(repos).where(eq(repos.id, repoId))
  const space = repo && (await lockNamespace(tx, repo.ns))
  if (!space || space.quota_bytes === null) return
  if ((await usedAtMost(db, space.id, tx)) <= space.quota_bytes) return
  await requireWithinQuota(tx, space, isMember ? undefined : overQuota(space.name, bytes))
}

/**
 * Throws `quota-exceeded` when a user's own namespace holds more than its quota, images in comments among it. It holds the
 * namespace until the transaction ends, so that of two who bring something at once the second counts the first.
 */
export async function requireOwnQuota(tx: Tx, userId: string): Promise<void> {
  const space = await lockNamespace(tx, userId)
  if (space) await requireWithinQuota(tx, space)
}

async function bytesOfNew(
  { db }: Ctx,
  namespaceId: string,
  objects: Required<Wanted>['objects'],
  isMember: boolean,
): Promise<number> {
  const sizes = new Map(objects.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
  const { repos, lfs_links } = db.t
  const held = isMember
    ? await inBatches(sizes.keys(), (some) =>
        db.q
          .select({ sha256: lfs_links.sha256 })
          .from(lfs_links)
          .innerJoin(repos, eq(repos.id, lfs_links.repo_id))
          .where(and(inArray(lfs_links.sha256, some), eq(repos.namespace_id, namespaceId))),
      )
    : []
  for (const { sha256 } of held) sizes.delete(sha256)
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}
