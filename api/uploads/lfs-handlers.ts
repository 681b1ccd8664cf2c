import type { Context } from 'hono'
import { requireUser } from '../access/index.ts'
import { declaredLength, requestBytes, sendBlob } from '../http/bytes.ts'
import { elsewhere } from '../http/elsewhere.ts'
import type { App, Env } from '../http/env.ts'
import { requireUnencoded } from '../http/inflated.ts'
import { contentPolicy } from '../http/security-headers.ts'
import { findObjects } from '../lfs/index.ts'
import { Problem } from '../problems/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { collect, TooManyBytes } from '../storage/index.ts'
import type { OfferChunks } from './batch-actions.ts'
import { batch } from './batch.ts'
import { completeUpload } from './complete.ts'
import { digestMismatch, sizeMismatch } from './failures.ts'
import { signedBase } from './lfs-urls.ts'
import { BatchBody, CompletionBody, OwnerQuery, PutQuery, readJson, VerifyBody } from './lfs-wire.ts'
import { putPart } from './put-part.ts'
import { findUpload, type Owner } from './queries.ts'
import { storeObject } from './store-object.ts'
import { verifyObject } from './verify-object.ts'

const mediaType = 'application/vnd.git-lfs+json; charset=utf-8'
/** Bodies of batches and completions: 10 000 parts or 1000 objects take less. */
const MAX_JSON_BYTES = 4 * 1024 * 1024

const answer = (c: Context<Env>, body: object) =>
  c.body(JSON.stringify(body), 200, { 'Content-Type': mediaType })

async function jsonBody(c: Context<Env>): Promise<Buffer> {
  requireUnencoded(c)
  return collect(requestBytes(c), MAX_JSON_BYTES).catch((error: unknown) => {
    if (!(error instanceof TooManyBytes)) throw error
    throw new Problem('body-too-large', { detail: `The body may have at most ${MAX_JSON_BYTES} bytes.` })
  })
}

/** Throws unless the address carries a signature of ours for this method that has not expired. */
function requireSignature(c: Context<Env>): void {
  const { secrets, now } = c.var.ctx
  const verdict = secrets.verifyUrl(c.req.method, c.req.url, now())
  if (verdict === 'valid') return
  const detail =
    verdict === 'expired' ? 'This link has expired. Ask for a new one.' : 'This link is not one we issued.'
  throw new Problem('forbidden', { detail })
}

/** The Upload a signed address names. */
async function signedUpload(c: Context<Env>) {
  requireSignature(c)
  const upload = await findUpload(c.var.ctx.db, c.req.param('id') ?? '')
  if (!upload) throw new Problem('not-found', { detail: 'This upload has ended. Ask for a new link.' })
  return upload
}

const quoted = (etag: string) => `"${etag}"`

async function sendObject(c: Context<Env>, sha256: string): Promise<Response> {
  requireSignature(c)
  const { db, blobs } = c.var.ctx
  const [object] = await findObjects(db, [sha256])
  if (!object) throw new Problem('not-found', { detail: 'The object does not exist any more.' })
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': contentPolicy,
    'Cache-Control': 'private, no-store',
  }
  const location = await elsewhere(c, () => object.key, headers)
  if (location) return c.redirect(location, 302)
  return sendBlob(c, {
    sizeBytes: object.size,
    etag: object.sha256,
    headers,
    open: (range, signal) => blobs.read(object.key, range, signal),
  })
}

/** The addresses that authenticate themselves: hub clients send neither credentials nor our headers there. */
function mountSigned(app: App): void {
  app.put(`${signedBase}/objects/:oid{[0-9a-f]{64}}`, async (c) => {
    requireSignature(c)
    const { repo, user, size } = PutQuery.parse(c.req.query())
    const sha256 = c.req.param('oid')
    const declared = declaredLength(c)
    if (declared !== undefined && declared !== size) throw sizeMismatch(size, declared)
    await storeObject(c.var.ctx, { repoId: repo, userId: user }, { sha256, sizeBytes: size }, requestBytes(c))
    return c.body('{}', 200, { 'Content-Type': mediaType, ETag: quoted(sha256) })
  })
  app.get(`${signedBase}/objects/:oid{[0-9a-f]{64}}`, (c) => sendObject(c, c.req.param('oid')))
  app.put(`${signedBase}/uploads/:id/parts/:n{[0-9]{1,5}}`, async (c) => {
    const upload = await signedUpload(c)
    const part = await putPart(
      c.var.ctx,
      upload,
      Number(c.req.param('n')),
      requestBytes(c),
      declaredLength(c),
    )
    return c.body('{}', 200, { 'Content-Type': mediaType, ETag: quoted(part.etag) })
  })
  app.post(`${signedBase}/uploads/:id/complete`, async (c) => {
    const upload = await signedUpload(c)
    const { oid, parts } = readJson(CompletionBody, await jsonBody(c))
    if (oid !== upload.sha256) throw digestMismatch(upload.sha256, oid)
    const claimed = parts.map(({ partNumber, etag }) => ({ n: partNumber, etag }))
    await completeUpload(c.var.ctx, upload.id, claimed)
    return answer(c, {})
  })
}

function addressOf(c: Context<Env>, type: RepoAddress['type']): RepoAddress {
  const name = c.req.param('name') ?? ''
  return {
    type,
    ns: c.req.param('ns') ?? '',
    name: name.endsWith('.git') ? name.slice(0, -'.git'.length) : name,
  }
}

/** By signature, or by the caller's own right where there is none that holds. */
async function verifyingOwner(c: Context<Env>, address: RepoAddress): Promise<Owner> {
  const { ctx } = c.var
  if (ctx.secrets.verifyUrl('POST', c.req.url, ctx.now()) === 'valid') {
    const { repo, user } = OwnerQuery.parse(c.req.query())
    return { repoId: repo, userId: user }
  }
  const repo = await requireRepo(ctx, address, 'repo.open-pull-request')
  return { repoId: repo.id, userId: requireUser(ctx.actor).id }
}

interface LfsOptions {
  /** How objects are sent as chunks; never, when left out. */
  offerChunks?: OfferChunks
}

/** The LFS server of the Repos of one type, below `prefix`; `:name` comes with or without `.git`. */
function mountRepoLfs(app: App, prefix: string, type: RepoAddress['type'], options: LfsOptions): void {
  const base = `${prefix}/:ns/:name/info/lfs`
  app.post(`${base}/objects/batch`, async (c) => {
    const request = readJson(BatchBody, await jsonBody(c))
    return answer(c, await batch(c.var.ctx, addressOf(c, type), request, options.offerChunks))
  })
  app.post(`${base}/verify`, async (c) => {
    const owner = await verifyingOwner(c, addressOf(c, type))
    const { oid, size } = readJson(VerifyBody, await jsonBody(c))
    await verifyObject(c.var.ctx, owner, { sha256: oid, sizeBytes: size })
    return answer(c, {})
  })
  // git-lfs takes 404 for "no locking" and stays silent; asked first in a push, it must learn of credentials here.
  for (const path of [`${base}/locks`, `${base}/locks/*`])
    app.all(path, async (c) => {
      requireUser(c.var.ctx.actor)
      await requireRepo(c.var.ctx, addressOf(c, type), 'repo.read')
      throw new Problem('not-found', { detail: 'File locking is not supported' })
    })
}

/** Git LFS for hub clients and git-lfs (git-storage.md §8). Failures are rendered by the hub surface. */
export function mountLfs(app: App, options: LfsOptions = {}): void {
  mountSigned(app)
  mountRepoLfs(app, '', 'model', options)
  mountRepoLfs(app, '/models', 'model', options)
  mountRepoLfs(app, '/datasets', 'dataset', options)
}
