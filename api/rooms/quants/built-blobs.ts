import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { openObject } from '../../core/lfs/index.ts'
import { fromChunks, type ByteRange, type ByteSource } from '../../stores/storage/index.ts'
import type { Repo } from '../repos/index.ts'

/** A blob of the registry by its digest. */
export interface NamedBlob {
  sha256: string
  sizeBytes: number
}

/** A blob that is to be kept: its bytes, or the git blob that has them. */
export type NewBlob = NamedBlob & ({ body: Buffer } | { gitOid: string })

/** A built text as a blob. */
export function builtBlob(text: string | Buffer): NewBlob {
  const body = Buffer.from(text)
  return { sha256: createHash('sha256').update(body).digest('hex'), sizeBytes: body.length, body }
}

/** Keeps blobs of a repo; what is kept already costs a read. */
export async function keepBlobs(ctx: Ctx, repo: Pick<Repo, 'id'>, blobs: NewBlob[]): Promise<void> {
  const { built_blobs: kept } = ctx.db.t
  const digests = blobs.map(({ sha256 }) => sha256)
  const rows = await ctx.db.q
    .select({ sha256: kept.sha256 })
    .from(kept)
    .where(and(eq(kept.repo_id, repo.id), inArray(kept.sha256, digests)))
  const known = new Set(rows.map(({ sha256 }) => sha256))
  const fresh = blobs.filter(({ sha256 }) => !known.has(sha256))
  if (fresh.length === 0) return
  const values = fresh.map((blob) => ({
    repo_id: repo.id,
    sha256: blob.sha256,
    size: blob.sizeBytes,
    body: 'body' in blob ? blob.body : null,
    git_oid: 'gitOid' in blob ? blob.gitOid : null,
  }))
  await ctx.db.write(({ q, t }) => q.insert(t.built_blobs).values(values).onConflictDoNothing())
}

/** A blob ready to be sent. */
export interface OpenBlob {
  sizeBytes: number
  /** Of a large file, for a presigned address. */
  key?: () => string | undefined
  open(range?: ByteRange, signal?: AbortSignal): Promise<ByteSource>
}

/** A blob by its digest, where this repo holds it. The caller may read the files of the repo. */
export async function openRepoBlob(ctx: Ctx, repoId: string, sha256: string): Promise<OpenBlob | undefined> {
  const object = await openObject(ctx, repoId, sha256)
  if (object.presence === 'present')
    return { sizeBytes: object.sizeBytes, key: object.key, open: object.open }
  const { built_blobs: kept } = ctx.db.t
  const [row] = await ctx.db.q
    .select()
    .from(kept)
    .where(and(eq(kept.repo_id, repoId), eq(kept.sha256, sha256)))
  if (!row) return undefined
  const { body, git_oid: oid } = row
  if (body)
    return {
      sizeBytes: row.size,
      open: async ({ offset, length } = { offset: 0, length: row.size }) =>
        fromChunks(body.subarray(offset, offset + length)),
    }
  const snapshot = await ctx.git.open(repoId, ctx)
  const whole = oid === null ? undefined : await snapshot.blobSize(oid)
  if (oid === null || whole === undefined) return undefined
  return {
    sizeBytes: whole,
    open: async (range) => (await snapshot.openBlob(oid, range))?.source ?? fromChunks(),
  }
}
