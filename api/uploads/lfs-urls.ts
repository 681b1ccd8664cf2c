import type { Ctx } from '../ctx.ts'
import { pagePath, type RepoAddress } from '../repos/index.ts'
import type { Owner } from './queries.ts'

type Signing = Pick<Ctx, 'config' | 'secrets' | 'now'>

/** Path of the addresses that need no account, below which errors are those of LFS. */
export const signedBase = '/api/info/lfs'

const after = ({ now }: Signing, ms: number) => new Date(now().getTime() + ms)

function signed(
  ctx: Signing,
  method: string,
  path: string,
  ttlMs: number,
  query: Record<string, string> = {},
): string {
  const url = new URL(path, ctx.config.server.public_url)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return ctx.secrets.signUrl(method, url.href, after(ctx, ttlMs))
}

/** Where an object is sent in one piece. The signature covers owner, oid and size, so the address alone tells them. */
export function objectPutUrl(
  ctx: Signing,
  owner: Owner,
  object: { sha256: string; sizeBytes: number },
): string {
  return signed(ctx, 'PUT', `${signedBase}/objects/${object.sha256}`, ctx.config.lfs.upload_url_ttl, {
    repo: owner.repoId,
    user: owner.userId,
    size: String(object.sizeBytes),
  })
}

/** Where an object is read. */
export function objectGetUrl(ctx: Signing, sha256: string): string {
  return signed(ctx, 'GET', `${signedBase}/objects/${sha256}`, ctx.config.storage.s3.presign_ttl)
}

/** Where part `n` of an Upload is sent. */
export function partPutUrl(ctx: Signing, uploadId: string, n: number): string {
  return signed(ctx, 'PUT', `${signedBase}/uploads/${uploadId}/parts/${n}`, ctx.config.lfs.upload_url_ttl)
}

/** Where an Upload is completed. */
export function completionUrl(ctx: Signing, uploadId: string): string {
  return signed(ctx, 'POST', `${signedBase}/uploads/${uploadId}/complete`, ctx.config.lfs.upload_url_ttl)
}

/** Where a client asks whether its object has arrived: git-lfs without credentials, hub clients with theirs. */
export function verifyUrl(ctx: Signing, address: RepoAddress, owner: Owner): string {
  const path = `/${pagePath(address)}.git/info/lfs/verify`
  return signed(ctx, 'POST', path, ctx.config.lfs.upload_url_ttl, { repo: owner.repoId, user: owner.userId })
}
