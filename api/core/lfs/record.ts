import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import { inBatches, type Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { linkArrived } from './absent.ts'
import { findLinked } from './links.ts'
import { markForDeletion, type ObjectRow } from './queries.ts'
import { dropFault } from './scrub/faults.ts'

/** Bytes that are durably stored under a reserved key and have been hashed. */
export interface ProvenObject {
  sha256: string
  sizeBytes: number
  key: string
}

/** Who proved possession, and in which repo. */
export interface ObjectOwner {
  repoId: string
  userId: string
}

/**
 * Reserves keys before bytes go there: should no row ever name them, the `gc` job deletes them after
 * `gc.grace_period`.
 */
export async function reserveKeys(
  tx: Tx,
  { config, now }: Pick<Ctx, 'config' | 'now'>,
  keys: string[],
): Promise<void> {
  await markForDeletion(tx, keys, new Date(now().getTime() + config.gc.grace_period))
}

/**
 * Takes reservations away in the transaction that gives the bytes their rows. Throws when one of them has ended, for then
 * the `gc` job may be deleting the bytes.
 */
export async function keepKeys({ q, t }: Tx, { now }: Pick<Ctx, 'now'>, keys: string[]): Promise<void> {
  const { blob_deletions: d } = t
  const kept = await inBatches(keys, (some) =>
    q
      .delete(d)
      .where(and(inArray(d.key, some), gt(d.at, now())))
      .returning({ key: d.key }),
  )
  if (kept.length < keys.length)
    throw new Problem('temporarily-unavailable', {
      detail: 'The bytes came after their reservation had ended; send them again.',
      retryAfterS: 1,
    })
}

/** Discards bytes, as of `afterMs` milliseconds from now: their rows are gone, or will never be. */
export async function discardKeys(
  tx: Tx,
  { now }: Pick<Ctx, 'now'>,
  keys: string[],
  afterMs = 0,
): Promise<void> {
  await markForDeletion(tx, keys, new Date(now().getTime() + afterMs))
}

/**
 * Makes proven bytes an object and grants it to the user in the repo. When the object is there already, its bytes stay
 * and the new ones are discarded; one marked corrupt is healed by them.
 */
export async function recordObject(
  tx: Tx,
  ctx: Pick<Ctx, 'config' | 'now'>,
  object: ProvenObject,
  owner: ObjectOwner,
): Promise<void> {
  await recordBytes(tx, ctx, [object])
  await grantObjects(tx, ctx, [object.sha256], owner)
}

/**
 * As `recordObject`, for bytes whose owners are granted by themselves. Of equal ones the first is kept; answers the keys
 * that are dropped.
 */
export async function recordBytes(
  tx: Tx,
  ctx: Pick<Ctx, 'config' | 'now'>,
  objects: ProvenObject[],
): Promise<string[]> {
  const keys = objects.map(({ key }) => key)
  await keepKeys(tx, ctx, keys)
  const first = new Map(objects.toReversed().map((object) => [object.sha256, object]))
  const unused = objects.filter((object) => first.get(object.sha256) !== object).map(({ key }) => key)
  for (const kept of await keepObjects(tx, first, ctx.now())) {
    const object = first.get(kept.sha256)
    if (!object || kept.key === object.key) continue
    if (kept.corrupt_at !== null) await heal(tx, object, kept.key)
    unused.push(kept.corrupt_at === null ? object.key : kept.key)
  }
  await discardKeys(tx, ctx, unused)
  return unused
}

/** Enters objects, or marks those that are there as used now; answers the rows as they are then. */
function keepObjects({ q, t }: Tx, objects: Map<string, ProvenObject>, now: Date): Promise<ObjectRow[]> {
  const { lfs_objects: o } = t
  return inBatches(objects.keys(), (some) => {
    const rows = some.flatMap((sha256) => {
      const { key = '', sizeBytes: size = 0 } = objects.get(sha256) ?? {}
      return { sha256, key, size, created_at: now, touched_at: now }
    })
    return q
      .insert(o)
      .values(rows)
      .onConflictDoUpdate({ target: o.sha256, set: { touched_at: now, unreferenced_since: null } })
      .returning()
  })
}

/** Puts proven bytes in the place of corrupt ones. */
async function heal(tx: Tx, { sha256, key, sizeBytes }: ProvenObject, corruptKey: string) {
  const { q, t } = tx
  const { lfs_objects: o } = t
  await dropFault(tx, corruptKey)
  await q
    .update(o)
    .set({ key, size: sizeBytes, corrupt_at: null })
    .where(and(eq(o.sha256, sha256), eq(o.key, corruptKey)))
}

/** Notes that the user proved possession of these objects in the repo; what is linked there needs no grant. */
export async function grantObjects(
  tx: Tx,
  { config, now }: Pick<Ctx, 'config' | 'now'>,
  sha256s: Iterable<string>,
  { repoId, userId }: ObjectOwner,
): Promise<void> {
  const { q, t } = tx
  const { lfs_grants: g } = t
  const proven = [...sha256s]
  // Commits of a former mirror name these bytes already: callers who may write here may bring them.
  await linkArrived(tx, repoId, proven, now())
  const linked = await findLinked(tx, repoId, proven)
  const expires_at = new Date(now().getTime() + config.gc.grace_period)
  const unlinked = proven.filter((sha256) => !linked.has(sha256))
  await inBatches(unlinked, async (some) => {
    await q
      .insert(g)
      .values(
        some.map((sha256) => ({ repo_id: repoId, sha256, user_id: userId, created_at: now(), expires_at })),
      )
      .onConflictDoUpdate({ target: [g.repo_id, g.sha256, g.user_id], set: { expires_at } })
    return []
  })
}
