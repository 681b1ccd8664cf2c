import { and, asc, desc, eq, isNotNull, lte, ne } from 'drizzle-orm'
import type { Db, Tables, Tx } from '../../stores/db/index.ts'

/** A database or an open transaction: anything that reads. */
export type Reader = Pick<Db, 'q' | 't'>
export type MirrorRow = Tables['mirrors']['$inferSelect']
export type PullFileRow = Tables['pull_files']['$inferSelect']

/** The mirror that a repo is, or was before it was detached. */
export async function findMirror({ q, t }: Reader, repoId: string): Promise<MirrorRow | undefined> {
  const [row] = await q.select().from(t.mirrors).where(eq(t.mirrors.repo_id, repoId))
  return row
}

/** Changes a mirror's row; `undefined` when it has gone. */
export async function setMirror(
  { q, t }: Tx,
  repoId: string,
  set: Partial<Omit<MirrorRow, 'repo_id'>>,
): Promise<MirrorRow | undefined> {
  const [row] = await q.update(t.mirrors).set(set).where(eq(t.mirrors.repo_id, repoId)).returning()
  return row
}

/** Mirrors whose time to sync has come, the longest due first. */
export async function listDue(
  { q, t: { mirrors: m } }: Reader,
  now: Date,
  limit: number,
): Promise<MirrorRow[]> {
  return q
    .select()
    .from(m)
    .where(and(isNotNull(m.next_sync_at), lte(m.next_sync_at, now), ne(m.state, 'detached')))
    .orderBy(asc(m.next_sync_at))
    .limit(limit)
}

/** Commits that were the head of a mirror, the newest first. */
export async function listSyncs({ q, t: { mirror_syncs: s } }: Reader, repoId: string) {
  return q.select().from(s).where(eq(s.repo_id, repoId)).orderBy(desc(s.synced_at)).limit(100)
}

/** Notes a commit of the upstream that is here and stays whole, with the last of them. */
export async function addSync(
  { q, t: { mirror_syncs: s } }: Tx,
  row: Tables['mirror_syncs']['$inferSelect'],
): Promise<void> {
  await q
    .insert(s)
    .values(row)
    .onConflictDoUpdate({ target: [s.repo_id, s.commit], set: row })
}

/** The files of a job that pulls, by path. */
export async function listPullFiles(
  { q, t: { pull_files: f } }: Reader,
  jobId: string,
): Promise<PullFileRow[]> {
  return q.select().from(f).where(eq(f.job_id, jobId)).orderBy(asc(f.path)).limit(5000)
}

/** What a job that pulls says of itself, and the jobs for what its repo depends on. */
export async function findPull({ q, t: { pulls: p } }: Reader, jobId: string) {
  const [row] = await q.select().from(p).where(eq(p.job_id, jobId))
  const children = await q
    .select({ id: p.job_id })
    .from(p)
    .where(eq(p.parent_id, jobId))
    .orderBy(asc(p.job_id))
  return row && { ...row, children: children.map(({ id }) => id) }
}
