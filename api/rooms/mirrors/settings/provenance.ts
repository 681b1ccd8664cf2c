import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tables } from '../../../stores/db/index.ts'
import { openFileAt, openRevision } from '../../content/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'

export type ProvenanceRow = Tables['mirror_provenance']['$inferSelect']

const MOST = 1000

/**
 * Where the large files of a repo came from; with `path` alone those of that file, as it is at a revision. It is kept when a
 * mirror is renamed, transferred or detached. Problems: those of reading the files.
 */
export async function listProvenance(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path }: { revision?: string | undefined; path?: string | undefined },
): Promise<ProvenanceRow[]> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const { q, t } = ctx.db
  const { mirror_provenance: p } = t
  const sha256 = path === undefined ? undefined : await shaOf(ctx, address, { revision, path })
  if (path !== undefined && sha256 === undefined) return []
  return q
    .select()
    .from(p)
    .where(and(eq(p.repo_id, repo.id), sha256 === undefined ? undefined : inArray(p.sha256, [sha256])))
    .orderBy(asc(p.path), asc(p.fetched_at))
    .limit(MOST)
}

async function shaOf(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path }: { revision?: string | undefined; path: string },
): Promise<string | undefined> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const file = await openFileAt(ctx, repo, await openRevision(ctx, repo.id, revision), path)
  return file.lfs?.sha256
}
