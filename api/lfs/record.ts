import { and, eq, gt } from 'drizzle-orm'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/index.ts'
import { Problem } from '../problems/index.ts'
import { inBatches, markForDeletion } from './queries.ts'

/** Bytes that are durably stored under a reserved key and have been hashed. */
export interface ProvenObject {
  sha256: string
  sizeBytes: number
  key: string
}

/** Who proved possession, and in which Repo. */
export interface ObjectOwner {
  repoId: string
  userId: string
}

/**
 * Reserves a key before bytes go there: should no row ever name them, the `gc` Job deletes them after
 * `gc.grace_period`.
 */
export async function reserveKey(
  tx: Tx,
  { config, now }: Pick<Ctx, 'config' | 'now'>,
  key: string,
): Promise<void> {
  await markForDeletion(tx, [key], new Date(now().getTime() + config.gc.grace_period))
}

/**
 * Takes a reservation away in the transaction that gives the bytes their row. Throws when it has ended, for then the
 * `gc` Job may be deleting the bytes.
 */
export async function keepKey({ q, t }: Tx, { now }: Pick<Ctx, 'now'>, key: string): Promise<void> {
  const { blob_deletions: d } = t
  const kept = await q
    .delete(d)
    .where(and(eq(d.key, key), gt(d.at, now())))
    .returning({ key: d.key })
  if (kept.length === 0)
    throw new Problem('temporarily-unavailable', {
      detail: 'The bytes came after their reservation had ended; send them again.',
      retryAfterS: 1,
    })
}

/** Gives up bytes, as of `afterMs` milliseconds from now: their rows are gone, or will never be. */
export async function discardKeys(
  tx: Tx,
  { now }: Pick<Ctx, 'now'>,
  keys: string[],
  afterMs = 0,
): Promise<void> {
  await markForDeletion(tx, keys, new Date(now().getTime() + afterMs))
}

/**
 * Makes proven bytes an object and grants it to the user in the Repo. When the object is there already, its bytes stay
 * and the new ones are given up; one marked corrupt is healed by them.
 */
export async function recordObject(
  tx: Tx,
  ctx: Pick<Ctx, 'config' | 'now'>,
  object: ProvenObject,
  owner: ObjectOwner,
): Promise<void> {
  await recordBytes(tx, ctx, object)
  await grantObjects(tx, ctx, [object.sha256], owner)
}

/** As `recordObject`, for bytes whose owners are granted by themselves. */
export async function recordBytes(
  tx: Tx,
  ctx: Pick<Ctx, 'config' | 'now'>,
  object: ProvenObject,
): Promise<void> {
  await keepKey(tx, ctx, object.key)
  const unused = await keepObject(tx, object, ctx.now())
  if (unused !== undefined) await discardKeys(tx, ctx, [unused])
}

/** The key that is not needed, if any. */
async function keepObject({ q, t }: Tx, object: ProvenObject, now: Date): Promise<string | undefined> {
  const { lfs_objects: o } = t
  const { sha256, key, sizeBytes } = object
  const [kept] = await q
    .insert(o)
    .values({ sha256, key, size: sizeBytes, created_at: now, touched_at: now })
    .onConflictDoUpdate({ target: o.sha256, set: { touched_at: now, unreferenced_since: null } })
    .returning()
  if (!kept || kept.key === key) return undefined
  if (kept.corrupt_at === null) return key
  await q
    .update(o)
    .set({ key, size: sizeBytes, corrupt_at: null })
    .where(and(eq(o.sha256, sha256), eq(o.key, kept.key)))
  return kept.key
}

/** Notes that the user proved possession of these objects in the Repo. */
export async function grantObjects(
  { q, t }: Tx,
  { config, now }: Pick<Ctx, 'config' | 'now'>,
  sha256s: Iterable<string>,
  { repoId, userId }: ObjectOwner,
): Promise<void> {
  const { lfs_grants: g } = t
  const expires_at = new Date(now().getTime() + config.gc.grace_period)
  await inBatches(sha256s, async (some) => {
    await q
      .insert(g)
      .values(
        some.map((sha256) => ({ repo_id: repoId, sha256, user_id: userId, created_at: now(), expires_at })),
      )
      .onConflictDoUpdate({ target: [g.repo_id, g.sha256, g.user_id], set: { expires_at } })
    return []
  })
}
