import type { Context } from 'hono'
import { sendBlob } from '../../core/http/bytes.ts'
import type { Env } from '../../core/http/env.ts'
import { isHead } from '../../core/http/head.ts'
import { headerOf } from '../../core/http/header.ts'
import { contentPolicy } from '../../core/http/security-headers.ts'
import { Problem } from '../../platform/problems/index.ts'
import { openRepoBlob, type OpenBlob } from '../../rooms/quants/index.ts'
import { countFetch, requireRepo, requireRepoById, type RepoAddress } from '../../rooms/repos/index.ts'
import { blobGetUrl, grantParameter, requireSignedUse } from '../../rooms/uploads/index.ts'
import { registryBase } from './address.ts'

const noSuchBlob = () => new Problem('not-found', { detail: 'This repo has no such blob.' })

const plainBytes = {
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': contentPolicy,
  'Cache-Control': 'private, no-store',
}

/** `HEAD|GET …/blobs/sha256:{hex}`: a HEAD is answered here, a GET is sent to a signed address. */
export async function sendRepoBlob(c: Context<Env>, address: RepoAddress, sha256: string): Promise<Response> {
  const { ctx } = c.var
  if (c.req.query(grantParameter) !== undefined) return sendSigned(c, sha256)
  const repo = await requireRepo(ctx, address, 'repo.files')
  const blob = await openRepoBlob(ctx, repo.id, sha256)
  if (!blob) throw noSuchBlob()
  if (isHead(c)) return send(c, blob, sha256)
  const path = `${registryBase}/${address.ns}/${address.name}/blobs/sha256:${sha256}`
  const ours = () => blobGetUrl(ctx, { repoId: repo.id, action: 'repo.files' }, path)
  const location = (await inBucket(c, blob)) ?? ours()
  return c.body(null, 307, { Location: location, 'Cache-Control': 'private, no-store' })
}

/**
 * The bucket's own address of a large file; `undefined` where bytes pass through us. ollama follows a redirect to the
 * same host name by itself and then finds no `Location` in the bucket's answer, so such a bucket is passed through, too.
 */
async function inBucket(c: Context<Env>, { key }: OpenBlob): Promise<string | undefined> {
  const { blobs, config } = c.var.ctx
  if (!key || blobs.kind !== 's3' || config.storage.s3.download_mode === 'proxy') return undefined
  const stored = key()
  if (stored === undefined) return undefined
  const location = await blobs.presignGet(stored, {
    ttlS: config.storage.s3.presign_ttl / 1000,
    contentType: plainBytes['Content-Type'],
    contentDisposition: plainBytes['Content-Disposition'],
  })
  const hostOf = (url: string) => new URL(url).hostname
  const isElsewhere = location !== undefined && hostOf(location) !== hostOf(config.server.public_url)
  return isElsewhere ? location : undefined
}

/** The signed address itself. Without a range it names itself, as ollama asks it for ranges next. */
async function sendSigned(c: Context<Env>, sha256: string): Promise<Response> {
  const { ctx } = c.var
  const { actor, repoId } = await requireSignedUse(ctx, c.req.method, c.req.url)
  ctx.actor = actor
  const blob = await openRepoBlob(ctx, repoId, sha256)
  if (!blob) throw noSuchBlob()
  const repo = await requireRepoById(ctx, repoId, 'repo.files')
  const { pathname, search } = new URL(c.req.url)
  const isPart = headerOf(c, 'range') !== undefined
  return send(c, blob, sha256, isPart ? {} : { Location: `${pathname}${search}` }, (bytes) => {
    // The manifest was the download; a whole answer is hung up on once its head is read.
    if (isPart) countFetch(ctx, repo, { of: 'nothing', bytes })
  })
}

const send = (
  c: Context<Env>,
  blob: OpenBlob,
  sha256: string,
  more: Record<string, string> = {},
  count: (bytes: number) => void = () => undefined,
) =>
  sendBlob(c, {
    sizeBytes: blob.sizeBytes,
    etag: sha256,
    headers: { ...plainBytes, ...more, 'Docker-Content-Digest': `sha256:${sha256}` },
    open: (range, signal) => {
      count(range?.length ?? blob.sizeBytes)
      return blob.open(range, signal)
    },
  })
