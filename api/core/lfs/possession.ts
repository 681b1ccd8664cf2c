import { or, type SQL } from 'drizzle-orm'
import { actorId } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import {
  findObjectsWhere,
  hasGrant,
  hasGrantIn,
  hasLinkIn,
  hasReadableLink,
  touchObjects,
  type ObjectRow,
  type Reading,
} from './queries.ts'

type Asking = Pick<Ctx, 'actor' | 'config' | 'now'>

const bySha256 = (rows: ObjectRow[]) => new Map(rows.map((row) => [row.sha256, row]))

/**
 * The objects among `sha256s` that the caller may use: uploaded by them in any repo, or reachable in a repo whose files
 * they may read (git-storage.md §8.2). One statement whatever exists, so that its course tells nothing.
 */
export async function findUsable(
  tx: Reading,
  ctx: Asking,
  sha256s: Iterable<string>,
): Promise<Map<string, ObjectRow>> {
  return bySha256(await findObjectsWhere(tx, sha256s, isUsable(tx, ctx)))
}

/** As a condition of a query that selects from or joins `lfs_objects`. */
export function isUsable(tx: Reading, ctx: Asking): SQL | undefined {
  return ctx.actor.kind === 'system' ? undefined : or(hasGrant(tx, ctx), hasReadableLink(tx, ctx))
}

/** Whether the caller may use one object. */
export async function mayUse(tx: Reading, ctx: Asking, sha256: string): Promise<boolean> {
  return (await findUsable(tx, ctx, [sha256])).has(sha256)
}

/**
 * The objects among `sha256s` that a reader of this repo's files may have from it: linked here, or uploaded here by
 * them. An oid alone never gives access. The caller has been authorised for `repo.files`.
 */
export function findInRepo(
  tx: Reading,
  { actor, now }: Pick<Ctx, 'actor' | 'now'>,
  repoId: string,
  sha256s: Iterable<string>,
): Promise<Map<string, ObjectRow>> {
  return findHeld(tx, { repoId, userId: actorId(actor) }, sha256s, now())
}

/** As `findInRepo`, for a user known by id. */
export async function findHeld(
  tx: Reading,
  { repoId, userId }: { repoId: string; userId: string | null },
  sha256s: Iterable<string>,
  now: Date,
): Promise<Map<string, ObjectRow>> {
  const granted = userId === null ? undefined : hasGrantIn(tx, repoId, userId, now)
  return bySha256(await findObjectsWhere(tx, sha256s, or(hasLinkIn(tx, repoId), granted)))
}

/**
 * Keeps objects from the garbage collector from now on, in the transaction that relies on them. Answers those that are
 * there; an absent one must be uploaded again.
 */
export async function touch(
  tx: Parameters<typeof touchObjects>[0],
  sha256s: Iterable<string>,
  now: Date,
): Promise<Set<string>> {
  return new Set((await touchObjects(tx, sha256s, now)).map((row) => row.sha256))
}
