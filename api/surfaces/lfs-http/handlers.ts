import type { Context } from 'hono'
import { requireUser } from '../../core/access/index.ts'
import { declaredLength, requestBytes, sendBlob } from '../../core/http/bytes.ts'
import { storeUrlFor } from '../../core/http/store-url.ts'
import type { App, Env } from '../../core/http/env.ts'
import { readJson } from '../../core/http/json-body.ts'
import { contentPolicy } from '../../core/http/security-headers.ts'
import { requireFit } from '../../core/http/validation.ts'
import { openObject } from '../../core/lfs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../rooms/repos/index.ts'
import {
  batch,
  completeUpload,
  digestMismatch,
  findUpload,
  nothingHere,
  putPart,
  requireSignedUse,
  signedBase,
  sizeMismatch,
  storeObject,
  verifyObject,
  type ChunkActionFor,
  type Owner,
  type SignedUse,
} from '../../rooms/uploads/index.ts'
import { BatchBody, CompletionBody, SizeQuery, VerifyBody } from './schemas.ts'

const mediaType = 'application/vnd.git-lfs+json; charset=utf-8'

const answer = (c: Context<Env>, body: object) =>
  c.body(JSON.stringify(body), 200, { 'Content-Type': mediaType })

async function signedUse(c: Context<Env>): Promise<SignedUse> {
  const use = await requireSignedUse(c.var.ctx, c.req.method, c.req.url)
  c.set('signer', use.actor)
  return use
}

/** Whom a signed address stores for. */
async function signedOwner(c: Context<Env>): Promise<Owner> {
  const { actor, repoId } = await signedUse(c)
  return { repoId, userId: requireUser(actor).id }
}

/** The upload a signed address names. */
async function signedUpload(c: Context<Env>) {
  await signedUse(c)
  const upload = await findUpload(c.var.ctx.db, c.req.param('id') ?? '')
  if (!upload) throw nothingHere()
  return upload
}

const quoted = (etag: string) => `"${etag}"`

async function sendObject(c: Context<Env>, sha256: string): Promise<Response> {
  const { actor, repoId } = await signedUse(c)
  // As the batch asks: an object that was purged from the repo since is no longer given out.
  const object = await openObject({ ...c.var.ctx, actor }, repoId, sha256)
  if (object.presence !== 'present') throw nothingHere()
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': contentPolicy,
    'Cache-Control': 'private, no-store',
  }
  const location = await storeUrlFor(c, () => object.key(), headers)
  if (location) return c.redirect(location, 302)
  return sendBlob(c, {
    sizeBytes: object.sizeBytes,
    etag: sha256,
    headers,
    open: (range, signal) => object.open(range, signal),
  })
}

/** The addresses that authenticate themselves: hub clients send neither credentials nor our headers there. */
function mountSigned(app: App): void {
  app.put(`${signedBase}/objects/:oid{[0-9a-f]{64}}`, async (c) => {
    const owner = await signedOwner(c)
    const { size } = SizeQuery.parse(c.req.query())
    const sha256 = c.req.param('oid')
    const declared = declaredLength(c)
    if (declared !== undefined && declared !== size) throw sizeMismatch(size, declared)
    await storeObject(c.var.ctx, owner, { sha256, sizeBytes: size }, requestBytes(c))
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
    const { oid, parts } = requireFit(CompletionBody, await readJson(c, { admit: async () => upload }))
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
  if (ctx.secrets.verifyUrl('POST', c.req.url, ctx.now()) === 'valid') return signedOwner(c)
  const repo = await requireRepo(ctx, address, 'repo.open-pull-request')
  return { repoId: repo.id, userId: requireUser(ctx.actor).id }
}

interface LfsOptions {
  /** How objects are sent as chunks; never, when left out. */
  chunkActionFor?: ChunkActionFor
}

/** The LFS server of the repos of one type, below `prefix`; `:name` comes with or without `.git`. */
function mountRepoLfs(app: App, prefix: string, type: RepoAddress['type'], options: LfsOptions): void {
  const base = `${prefix}/:ns/:name/info/lfs`
  app.post(`${base}/objects/batch`, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c, type)
    const admit = async () => {
      requireUser(ctx.actor)
      await requireRepo(ctx, address, 'repo.read')
    }
    const request = requireFit(BatchBody, await readJson(c, { size: 'usual', admit }))
    return answer(c, await batch(ctx, address, request, options.chunkActionFor))
  })
  app.post(`${base}/verify`, async (c) => {
    const owner = await verifyingOwner(c, addressOf(c, type))
    const { oid, size } = requireFit(VerifyBody, await readJson(c))
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
