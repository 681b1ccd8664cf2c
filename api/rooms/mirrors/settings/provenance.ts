import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { originsOfSmall, type ProvenanceRow } from './small-origins.ts'

const MOST = 1000

/**
 * Where the files of a repo came from: large ones of all commits, then the small ones of a revision; with `path` alone that
 * file, as it is at the revision. It is kept when a mirror is renamed, transferred or detached. Problems: those of reading
 * the files.
 */
export async function listProvenance(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path }: { revision?: string | undefined; path?: string | undefined },
): Promise<ProvenanceRow[]> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const { q, t } = ctx.db
  const { mirror_provenance: p } = t
  const opened = await openRevision(ctx, repo.id, revision)
  const file = path === undefined ? undefined : await openFileAt(ctx, repo, opened, path)
  if (file && !file.lfs) return originsOfSmall(ctx, repo, opened, { path: file.path, most: 1 })
  const sha256s = file?.lfs && [file.lfs.sha256]
  const large: ProvenanceRow[] = await q
    .select()
    .from(p)
    .where(and(eq(p.repo_id, repo.id), sha256s && inArray(p.sha256, sha256s)))
    .orderBy(asc(p.path), asc(p.fetched_at))
    .limit(MOST)
  if (file) return large
  return [...large, ...(await originsOfSmall(ctx, repo, opened, { most: MOST - large.length }))]
}
