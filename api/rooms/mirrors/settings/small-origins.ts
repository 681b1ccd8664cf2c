import { createHash } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { describeEntries, openFileAt, type DescribedEntry, type Revision } from '../../content/index.ts'
import type { Tables } from '../../../stores/db/index.ts'
import type { Repo } from '../../repos/index.ts'
import { findMirror, listSyncs, type MirrorRow, type Reader } from '../queries.ts'

type LargeRow = Tables['mirror_provenance']['$inferSelect']

/** Where a file came from. `git`: a small file, whose git id is that of the upstream's tree. */
export type ProvenanceRow = Omit<LargeRow, 'verified'> & { verified: LargeRow['verified'] | 'git' }

type Sync = Awaited<ReturnType<typeof listSyncs>>[number]

/** What is read of small files for one list of them, to hash it. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Where small files of a revision came from: they come with the commits of the upstream, so it is the first commit that was
 * synced and has the file as it is here. What was committed here, after a mirror was detached, is left out.
 */
export async function originsOfSmall(
  ctx: Ctx,
  repo: Repo,
  opened: Revision,
  { path, most }: { path?: string; most: number },
): Promise<ProvenanceRow[]> {
  const mirror = await findMirror(ctx.db, repo.id)
  if (!mirror) return []
  const files = await smallFiles(opened, path, most)
  const syncs = (await listSyncs(ctx.db, repo.id)).toReversed()
  const origins = await firstSyncs(opened, files, syncs)
  const askers = await askersOf(ctx.db, mirror, syncs)
  const rows: ProvenanceRow[] = []
  let bytes = 0
  for (const file of files) {
    const sync = origins.get(file.path)
    bytes += sync ? file.sizeBytes : 0
    if (!sync || (path === undefined && bytes > MAX_BYTES)) continue
    rows.push({
      repo_id: repo.id,
      path: file.path,
      sha256: await hashOf(ctx, repo, opened, file.path),
      size: file.sizeBytes,
      upstream: mirror.upstream,
      upstream_repo: mirror.upstream_repo,
      commit: sync.commit,
      fetched_at: sync.synced_at,
      job_id: sync.job_id,
      user_id: askers.get(sync.commit) ?? null,
      verified: 'git',
    })
  }
  return rows
}

async function smallFiles(
  { snapshot, commit }: Revision,
  path: string | undefined,
  most: number,
): Promise<DescribedEntry[]> {
  if (path !== undefined) {
    const entry = await snapshot.entryAt(commit, path)
    return entry ? describeEntries(snapshot, [{ path, ...entry }]) : []
  }
  const found: DescribedEntry[] = []
  const root = (await snapshot.findCommit(commit))?.tree
  if (root === undefined) return []
  for await (const entry of snapshot.walk(root)) {
    if (found.length >= most) break
    const [file] = entry.kind === 'file' ? await describeEntries(snapshot, [entry]) : []
    if (file && !file.lfs) found.push(file)
  }
  return found
}

/** By path, the first of the syncs whose commit has the file as it is. */
async function firstSyncs(
  { snapshot }: Revision,
  files: readonly DescribedEntry[],
  syncs: readonly Sync[],
): Promise<Map<string, Sync>> {
  const found = new Map<string, Sync>()
  for (const sync of syncs) {
    const here = await snapshot.resolve(sync.commit)
    if (!here) continue
    for (const { path, oid } of files)
      if (!found.has(path) && (await snapshot.entryAt(here.commit, path))?.oid === oid) found.set(path, sync)
  }
  return found
}

/** Who asked for the jobs of syncs, by commit. The first one is the mirror's, also once its job is no longer listed. */
async function askersOf(
  { q, t: { jobs } }: Reader,
  mirror: MirrorRow,
  syncs: readonly Sync[],
): Promise<Map<string, string | null>> {
  const ids = syncs.flatMap(({ job_id }) => job_id ?? [])
  const rows = await q.select({ id: jobs.id, by: jobs.created_by }).from(jobs).where(inArray(jobs.id, ids))
  const byJob = new Map(rows.map(({ id, by }) => [id, by]))
  return new Map(
    syncs.map(({ commit, job_id }, i) => {
      const known = job_id === null ? undefined : byJob.get(job_id)
      return [commit, known === undefined && i === 0 ? mirror.created_by : (known ?? null)]
    }),
  )
}

async function hashOf(ctx: Ctx, repo: Repo, opened: Revision, path: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await openFileAt(ctx, repo, opened, path, 'git')
  for await (const chunk of await file.open()) hash.update(chunk)
  return hash.digest('hex')
}
