import type { Ctx } from '../../../core/ctx.ts'
import { pagePath, type RepoAddress } from '../../repos/index.ts'
import { grantText, type Grant } from './grant.ts'

type Signing = Pick<Ctx, 'actor' | 'config' | 'secrets' | 'now'>

/** Path of the addresses that need no account, below which errors are those of LFS. */
export const signedBase = '/api/info/lfs'

/** The query parameter that says who may use an address, where and for what. */
export const grantParameter = 'for'

function signed(
  { actor, config, secrets, now }: Signing,
  grant: Grant,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  { more = '', ttlMs }: { more?: string; ttlMs?: number } = {},
): string {
  const url = new URL(`${path}?${grantParameter}=${grantText(actor, grant)}${more}`, config.server.public_url)
  const usualMs = method === 'GET' ? config.storage.s3.presign_ttl : config.lfs.upload_url_ttl
  return secrets.signUrl(method, url.href, new Date(now().getTime() + (ttlMs ?? usualMs)))
}

/** Where an object is sent in one piece. The signature covers oid and size, so the address alone tells them. */
export function objectPutUrl(
  ctx: Signing,
  grant: Grant,
  object: { sha256: string; sizeBytes: number },
): string {
  return signed(ctx, grant, 'PUT', `${signedBase}/objects/${object.sha256}`, {
    more: `&size=${object.sizeBytes}`,
  })
}

/** Where an object is read. */
export const objectGetUrl = (ctx: Signing, grant: Grant, sha256: string): string =>
  signed(ctx, grant, 'GET', `${signedBase}/objects/${sha256}`)

// indexing.md §6: the parts of a large file come late, and a cut download resumes the next morning.
const blobTtlMs = 24 * 3_600_000

/** Where a blob of a model registry is read, at a path of the caller's choice. */
export const blobGetUrl = (ctx: Signing, grant: Grant, path: string): string =>
  signed(ctx, grant, 'GET', path, { ttlMs: blobTtlMs })

/** Where part `n` of an upload is sent. */
export const partPutUrl = (ctx: Signing, grant: Grant, uploadId: string, n: number): string =>
  signed(ctx, grant, 'PUT', `${signedBase}/uploads/${uploadId}/parts/${n}`)

/** Where an upload is completed. */
export const completionUrl = (ctx: Signing, grant: Grant, uploadId: string): string =>
  signed(ctx, grant, 'POST', `${signedBase}/uploads/${uploadId}/complete`)

/** Where a client asks whether its object has arrived: git-lfs without credentials, hub clients with theirs. */
export const verifyUrl = (ctx: Signing, grant: Grant, address: RepoAddress): string =>
  signed(ctx, grant, 'POST', `/${pagePath(address)}.git/info/lfs/verify`)
