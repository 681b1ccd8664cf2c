import { eq } from 'drizzle-orm'
import { requireUser } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { StoreError, type ByteRange, type ByteSource } from '../../../stores/storage/index.ts'
import { exportResult, exportTypes } from './result.ts'

/** A finished file, ready to be sent. */
export interface OpenedExport {
  fileName: string
  mediaType: string
  sizeBytes: number
  /** Where the store has it, if it still does. */
  storedKey(): Promise<string | undefined>
  open(range: ByteRange | undefined, signal: AbortSignal): Promise<ByteSource>
}

/**
 * The file a job made, for a caller who followed the link in its result. The link proves that they saw the job; that
 * they may read the files is asked again. Problems `forbidden` (link too old), `not-found`, and those of the repo.
 */
export async function openExport(ctx: Ctx, jobId: string, url: string): Promise<OpenedExport> {
  const verdict = ctx.secrets.verifyUrl('GET', url, ctx.now())
  if (verdict === 'expired')
    throw new Problem('forbidden', { detail: 'The link has expired; read the job again.' })
  if (verdict !== 'valid') throw new Problem('not-found')
  requireUser(ctx.actor)
  const found = await findExport(ctx, jobId)
  if (!found) throw new Problem('not-found')
  const repo = await requireRepo(ctx, found.address, 'repo.zip').catch((error: unknown) => {
    const isHidden = error instanceof Problem && error.code === 'repo-not-found'
    throw isHidden ? new Problem('not-found') : error
  })
  // Another repo may have the address by now.
  if (repo.id !== found.repoId) throw new Problem('not-found')
  const { key, size, file_name } = exportResult(found.result)
  return {
    fileName: file_name,
    mediaType: found.mediaType,
    sizeBytes: size,
    storedKey: async () => ((await ctx.blobs.stat(key)) ? key : undefined),
    open: (range, signal) =>
      ctx.blobs.read(key, range, signal).catch((error: unknown) => {
        // Files are removed after `gc.grace_period`.
        const isGone = error instanceof StoreError && error.kind === 'missing'
        throw isGone
          ? new Problem('not-found', { detail: 'The file has been removed; ask for a new one.' })
          : error
      }),
  }
}

async function findExport(
  { db: { q, t } }: Ctx,
  jobId: string,
): Promise<{ repoId: string; address: RepoAddress; result: unknown; mediaType: string } | undefined> {
  const { jobs, repos, namespaces } = t
  const [row] = await q
    .select({
      kind: jobs.kind,
      result: jobs.result,
      repoId: repos.id,
      type: repos.type,
      ns: namespaces.name,
      name: repos.name,
    })
    .from(jobs)
    .innerJoin(repos, eq(repos.id, jobs.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(eq(jobs.id, jobId))
  const mediaType = row && exportTypes.get(row.kind)
  if (mediaType === undefined || !row?.result) return undefined
  const { repoId, type, ns, name } = row
  return { mediaType, repoId, address: { type, ns, name }, result: row.result }
}
