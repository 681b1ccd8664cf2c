import { and, asc, desc, eq, gt, inArray, lte, or, type SQL } from 'drizzle-orm'
import { inBatches, type Db, type Tx } from '../../stores/db/index.ts'
import { statesUnderWay, type ObjectOwner } from '../../core/lfs/index.ts'

/** A handle that reads: the database or an open transaction. */
export type Reading = Pick<Db, 'q' | 't'>
export type UploadRow = Db['t']['uploads']['$inferSelect']
export type PartRow = Db['t']['upload_parts']['$inferSelect']

/** Rows of one statement: each has a dozen values, and SQLite takes 32 766. */
const INSERTED_AT_ONCE = 500

/** Who uploads, where to. */
export type Owner = ObjectOwner

export async function findUpload({ q, t }: Reading, id: string): Promise<UploadRow | undefined> {
  const [row] = await q.select().from(t.uploads).where(eq(t.uploads.id, id))
  return row
}

/** By rising number. */
export function partsOf({ q, t }: Reading, uploadId: string): Promise<PartRow[]> {
  const { upload_parts: p } = t
  return q.select().from(p).where(eq(p.upload_id, uploadId)).orderBy(asc(p.n))
}

/** The owner's uploads of these bytes that `where` admits, newest first. */
export function findOwn(
  { q, t }: Reading,
  { repoId, userId }: Owner,
  sha256s: Iterable<string>,
  where: SQL | undefined,
): Promise<UploadRow[]> {
  const { uploads: u } = t
  return inBatches(sha256s, (some) =>
    q
      .select()
      .from(u)
      .where(and(eq(u.repo_id, repoId), eq(u.user_id, userId), inArray(u.sha256, some), where))
      .orderBy(desc(u.id)),
  )
}

/** Those among the owner's uploads of these bytes that are under way, newest first. */
export function findUnderWay(tx: Reading, owner: Owner, sha256s: string[], now: Date): Promise<UploadRow[]> {
  const { uploads: u } = tx.t
  return findOwn(tx, owner, sha256s, and(inArray(u.status, statesUnderWay), gt(u.expires_at, now)))
}

export async function insertUploads(
  { q, t }: Tx,
  rows: Db['t']['uploads']['$inferInsert'][],
): Promise<UploadRow[]> {
  const inserted: UploadRow[] = []
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
    inserted.push(
      ...(await q
        .insert(t.uploads)
        .values(rows.slice(at, at + INSERTED_AT_ONCE))
        .returning()),
    )
  return inserted
}

/** Moves the deadline of those that take parts; answers them. */
export async function prolong(tx: Tx, rows: UploadRow[], expires_at: Date, now: Date): Promise<UploadRow[]> {
  const { uploads: u } = tx.t
  return inBatches(
    rows.map(({ id }) => id),
    (some) =>
      tx.q
        .update(u)
        .set({ expires_at })
        .where(and(inArray(u.id, some), isOpen(tx, now)))
        .returning(),
  )
}

/** Changes an upload where `where` holds; answers it as it is then, `undefined` when the condition did not hold. */
export async function setUpload(
  { q, t }: Tx,
  id: string,
  where: SQL | undefined,
  set: Partial<Db['t']['uploads']['$inferInsert']>,
): Promise<UploadRow | undefined> {
  const [row] = await q
    .update(t.uploads)
    .set(set)
    .where(and(eq(t.uploads.id, id), where))
    .returning()
  return row
}

/** Whether a request joins its parts, or a job verifies what is in the bucket. */
export const isCompleting = (upload: UploadRow | undefined): boolean =>
  upload?.status === 'joining' || upload?.status === 'verifying'

/** Takes parts and is not past its deadline. */
export const isOpen = ({ t: { uploads: u } }: Reading, now: Date): SQL | undefined =>
  and(eq(u.status, 'open'), gt(u.expires_at, now))

/** May be completed: open, or its completion died. */
export const isCompletable = ({ t: { uploads: u } }: Reading, now: Date): SQL | undefined =>
  and(or(eq(u.status, 'open'), and(eq(u.status, 'joining'), lte(u.lease_until, now))), gt(u.expires_at, now))

/** Still completed by this attempt. */
export const isHeldBy = ({ t: { uploads: u } }: Reading, attempt: number): SQL | undefined =>
  and(eq(u.status, 'joining'), eq(u.attempt, attempt))

/** Stores a part's row; answers the key it replaces. */
export async function putPartRow({ q, t }: Tx, row: PartRow): Promise<string | undefined> {
  const { upload_parts: p } = t
  const [old] = await q
    .select({ key: p.key })
    .from(p)
    .where(and(eq(p.upload_id, row.upload_id), eq(p.n, row.n)))
  await q
    .insert(p)
    .values(row)
    .onConflictDoUpdate({ target: [p.upload_id, p.n], set: { key: row.key, etag: row.etag, size: row.size } })
  return old?.key
}

/** Forgets parts, all or the one `n`; answers their keys. */
export async function deleteParts({ q, t }: Tx, uploadId: string, n?: number): Promise<string[]> {
  const { upload_parts: p } = t
  const gone = await q
    .delete(p)
    .where(and(eq(p.upload_id, uploadId), n === undefined ? undefined : eq(p.n, n)))
    .returning({ key: p.key })
  return gone.map((row) => row.key)
}

/** Whether uploads to the repo still make sense. */
export async function isLiveRepo({ q, t: { repos } }: Reading, repoId: string): Promise<boolean> {
  const [row] = await q.select({ deleted_at: repos.deleted_at }).from(repos).where(eq(repos.id, repoId))
  return row !== undefined && row.deleted_at === null
}
