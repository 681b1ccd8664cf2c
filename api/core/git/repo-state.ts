import { and, desc, eq, sql } from 'drizzle-orm'
import type { RepoType } from '../../../shared/vocabulary.ts'
import { inBatches, type Reads, type Tables, type Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { oidFromHex, type Oid } from './objects/oid.ts'
import type { PackRow } from './packs/pack-row.ts'

/** A ref as the database holds it. */
export interface RefRow {
  name: string
  oid: Oid
  /** Where an annotated tag leads. */
  peeled?: Oid
  updatedAt: Date
}

/** What the repo's rows say: cheap to read, and equal numbers mean equal refs. */
export interface RepoSeqs {
  repoType: RepoType
  defaultBranch: string
  refSeq: number
  pruneSeq: number
}

/** Refs and live packs (newest first) as of one moment. */
export interface RepoState extends RepoSeqs {
  repoId: string
  refs: ReadonlyMap<string, RefRow>
  packs: PackRow[]
  /** 40-hex of the commits whose parents are not here: those of a mirror whose history begins with them. */
  shallow: ReadonlySet<string>
}

/** A handle to read with: the database or an open transaction. */
export interface Reader {
  q: Reads
  t: Tables
}

/** Problem `repo-not-found` when there is no such row, deleted or not. */
export async function getSeqs({ q, t: { repos, git_repos } }: Reader, repoId: string): Promise<RepoSeqs> {
  const [row] = await q
    .select({
      repoType: repos.type,
      defaultBranch: repos.default_branch,
      refSeq: git_repos.ref_seq,
      pruneSeq: git_repos.prune_seq,
    })
    .from(repos)
    .innerJoin(git_repos, eq(git_repos.repo_id, repos.id))
    .where(eq(repos.id, repoId))
  if (!row) throw new Problem('repo-not-found')
  return row
}

/** All of it; call inside `Db.snapshot` or a transaction, so that the parts belong together. */
export async function getState(reader: Reader, repoId: string): Promise<RepoState> {
  const seqs = await getSeqs(reader, repoId)
  const { q, t } = reader
  const refs = await q
    .select({
      name: t.git_refs.name,
      oid: t.git_refs.oid,
      peeled: t.git_refs.peeled_oid,
      updatedAt: t.git_refs.updated_at,
    })
    .from(t.git_refs)
    .where(eq(t.git_refs.repo_id, repoId))
    .orderBy(t.git_refs.name)
  const rows = refs.map(({ peeled, ...ref }): [string, RefRow] => [
    ref.name,
    { ...ref, ...(peeled && { peeled }) },
  ])
  const [packs, shallow] = [await listLivePacks(reader, repoId), await listShallow(reader, repoId)]
  return { ...seqs, repoId, refs: new Map(rows), packs, shallow }
}

async function listShallow({ q, t: { git_shallow: s } }: Reader, repoId: string): Promise<Set<string>> {
  const rows = await q.select({ oid: s.oid }).from(s).where(eq(s.repo_id, repoId))
  return new Set(rows.map(({ oid }) => oid.toString('hex')))
}

/**
 * Says which commits of a mirror have no parents here, in the transaction that brings them. It counts as a move of refs, so
 * that every process reads the repo again.
 */
export async function setShallow(
  { q, t: { git_repos, git_shallow: s } }: Tx,
  repoId: string,
  oids: Iterable<string>,
): Promise<void> {
  await q
    .update(git_repos)
    .set({ ref_seq: sql`${git_repos.ref_seq} + 1` })
    .where(eq(git_repos.repo_id, repoId))
  await q.delete(s).where(eq(s.repo_id, repoId))
  const rows = [...oids].map((oid) => ({ repo_id: repoId, oid: oidFromHex(oid) }))
  await inBatches(rows, async (some) => {
    await q.insert(s).values(some)
    return []
  })
}

/** Live packs, newest first (ids begin with the time). */
export async function listLivePacks({ q, t: { git_packs } }: Reader, repoId: string): Promise<PackRow[]> {
  return q
    .select({
      id: git_packs.id,
      repoId: git_packs.repo_id,
      sha1: git_packs.sha1,
      objects: git_packs.objects,
      packBytes: git_packs.pack_bytes,
      idxBytes: git_packs.idx_bytes,
      corruptAt: git_packs.corrupt_at,
    })
    .from(git_packs)
    .where(and(eq(git_packs.repo_id, repoId), eq(git_packs.state, 'live')))
    .orderBy(desc(git_packs.id))
}

/** Git's row of a repo that is being made. */
export async function addGitRepo({ q, t: { git_repos } }: Tx, repoId: string): Promise<void> {
  await q
    .insert(git_repos)
    .values({ repo_id: repoId, ref_seq: 0, prune_seq: 0, lfs_marked_seq: 0, pack_bytes: 0 })
}

/**
 * Keeps refs from moving until the transaction ends. `false` where one has moved since the snapshot, but for `moves` of
 * this transaction.
 */
export async function holdRefs(
  { q, t: { git_repos } }: Tx,
  { repoId, refSeq }: { repoId: string; refSeq: number },
  moves = 0,
): Promise<boolean> {
  const held = await q
    .update(git_repos)
    .set({ ref_seq: refSeq + moves })
    .where(and(eq(git_repos.repo_id, repoId), eq(git_repos.ref_seq, refSeq + moves)))
    .returning({ id: git_repos.repo_id })
  return held.length > 0
}
