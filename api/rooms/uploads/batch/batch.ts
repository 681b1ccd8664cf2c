import { requireUser } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { findUsable, openObjects } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { countFetch, requireRepo, requireQuota, type Repo, type RepoAddress } from '../../repos/index.ts'
import { arrange, type Transfer } from './arrange.ts'
import { uploadActions, type ChunkTarget, type LfsAction, type ChunkActionFor } from './actions.ts'
import type { Grant } from '../signed/grant.ts'
import { objectGetUrl } from '../signed/addresses.ts'
import { objectKey } from '../open-uploads.ts'
import { MAX_OBJECT_BYTES } from '../receive/part-size.ts'
import { isPullRef } from '../plan.ts'

/** What a client asks of the LFS batch API (git-lfs: docs/api/batch.md). */
export interface BatchRequest {
  operation: 'upload' | 'download'
  /** A set: git-lfs sends it in random order. Absent means `basic`. */
  transfers?: string[] | undefined
  objects: { oid: string; size: number }[]
  ref?: { name: string } | undefined
}

/** One object of the answer: neither `actions` nor `error` when it need not be sent. */
export interface BatchObject {
  oid: string
  size: number
  authenticated?: true
  actions?: Record<string, LfsAction>
  error?: { code: number; message: string }
}

/** The answer, as it goes over the wire. */
export interface BatchResponse {
  transfer: Transfer
  hash_algo: 'sha256'
  objects: BatchObject[]
}

const MAX_OBJECTS = 1000

/**
 * Answers a batch by the rules of git-storage.md §8.2, as chunks where the client and the server take them (`xet`).
 * Faults of one object are reported on that object; whole-request refusals are Problems.
 */
export async function batch(
  ctx: Ctx,
  address: RepoAddress,
  request: BatchRequest,
  chunkActionFor?: ChunkActionFor,
): Promise<BatchResponse> {
  if (request.objects.length > MAX_OBJECTS)
    throw new Problem('body-too-large', { detail: `Ask for at most ${MAX_OBJECTS} objects at once.` })
  return request.operation === 'upload'
    ? uploadBatch(ctx, address, request, chunkActionFor)
    : downloadBatch(ctx, await requireRepo(ctx, address, 'repo.files'), request)
}

/** Why an object cannot be one, if so. */
function faultOf({ oid, size }: { oid: string; size: number }): BatchObject['error'] {
  if (!/^[0-9a-f]{64}$/.test(oid))
    return { code: 422, message: 'The oid must be a SHA-256 in 64 lower-case hex digits.' }
  if (!Number.isSafeInteger(size) || size < 0 || size > MAX_OBJECT_BYTES)
    return { code: 422, message: `The size must be a whole number from 0 to ${MAX_OBJECT_BYTES}.` }
  return undefined
}

const wrongSize = (size: number) => ({ code: 422, message: `The object with this oid has ${size} bytes.` })

async function downloadBatch(ctx: Ctx, repo: Repo, { objects }: BatchRequest): Promise<BatchResponse> {
  const oids = objects.filter((object) => !faultOf(object)).map((object) => object.oid)
  const found = await openObjects(ctx, repo.id, oids)
  const expires_in = Math.floor(ctx.config.storage.s3.presign_ttl / 1000)
  const grant: Grant = { repoId: repo.id, action: 'repo.files' }
  const answer = ({ oid, size }: BatchRequest['objects'][number]): BatchObject => {
    const fault = faultOf({ oid, size })
    if (fault) return { oid, size, error: fault }
    const object = found.get(oid)
    if (object?.presence !== 'present')
      return { oid, size, error: { code: 404, message: 'The object does not exist here.' } }
    if (object.sizeBytes !== size) return { oid, size, error: wrongSize(object.sizeBytes) }
    const download = { href: objectGetUrl(ctx, grant, oid), header: {}, expires_in }
    return { oid, size, authenticated: true, actions: { download } }
  }
  const answers = objects.map(answer)
  const lent = answers.filter(({ actions }) => actions)
  // Who gets a link is taken to use it: where downloads are redirected nothing else comes by here.
  const bytes = lent.reduce((sum, { size }) => sum + size, 0)
  if (lent.length > 0) countFetch(ctx, repo, { of: 'everything', bytes })
  return { transfer: 'basic', hash_algo: 'sha256', objects: answers }
}

const uploadAction = (isPull: boolean) => (isPull ? 'repo.open-pull-request' : 'repo.commit')

/** Without `ref` the objects are for a new pull request, which readers may open (hub-wire.md §8.1). */
async function requireBatchTarget(
  ctx: Ctx,
  address: RepoAddress,
  ref: BatchRequest['ref'],
): Promise<ChunkTarget> {
  const isPull = ref === undefined || isPullRef(ref.name)
  const repo = await requireRepo(ctx, address, uploadAction(isPull))
  return { repo, isPull, ...(ref ? { revision: ref.name.replace(/^refs\/heads\//, '') } : {}) }
}

async function uploadBatch(
  ctx: Ctx,
  address: RepoAddress,
  request: BatchRequest,
  chunkActionFor: ChunkActionFor | undefined,
): Promise<BatchResponse> {
  const target = await requireBatchTarget(ctx, address, request.ref)
  const { repo } = target
  const owner = { repoId: repo.id, userId: requireUser(ctx.actor).id }
  const grant: Grant = { repoId: repo.id, action: uploadAction(target.isPull) }
  const objects = request.objects
    .filter((object) => !faultOf(object))
    .map(({ oid, size }) => ({ sha256: oid, sizeBytes: size }))
  await requireQuota(ctx, repo.id, { objects })
  const usable = await findUsable(
    ctx.db,
    ctx,
    objects.map((object) => object.sha256),
  )
  const takesChunks = chunkActionFor !== undefined && ctx.config.hubapi.chunk === 'ingest'
  const transfers = (request.transfers ?? []).filter((name) => name !== 'xet' || takesChunks)
  const arranged = await arrange(ctx, owner, { objects, usable: usable.keys(), transfers })
  const { transfer, missing, uploads, urls } = arranged
  const asChunks = transfer === 'xet' && chunkActionFor ? { upload: chunkActionFor(ctx, target) } : {}
  const answer = ({ oid, size }: BatchRequest['objects'][number]): BatchObject => {
    const fault = faultOf({ oid, size })
    if (fault) return { oid, size, error: fault }
    const object = { sha256: oid, sizeBytes: size }
    const key = objectKey(object)
    const stored = usable.get(oid)
    if (!missing.has(key))
      return stored && stored.size !== size ? { oid, size, error: wrongSize(stored.size) } : { oid, size }
    const actions =
      transfer === 'xet'
        ? asChunks
        : uploadActions(ctx, { repo, grant, object, transfer, upload: uploads.get(key), urls: urls.get(key) })
    return { oid, size, authenticated: true, actions }
  }
  return { transfer, hash_algo: 'sha256', objects: request.objects.map(answer) }
}
