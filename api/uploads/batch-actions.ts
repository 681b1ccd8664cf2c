import type { Ctx } from '../ctx.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { completionUrl, objectPutUrl, partPutUrl, verifyUrl } from './lfs-urls.ts'
import { partCount } from './part-size.ts'
import type { Owner, UploadRow } from './queries.ts'

/** What a client does next: values of `header` are text, `expires_in` counts whole seconds. */
export interface LfsAction {
  href: string
  header: Record<string, string>
  expires_in: number
}

/** Where the objects of a batch are to be committed. */
export interface ChunkTarget {
  repo: Repo
  /** As the client named it, or its short name; absent for a pull request that is still to be opened. */
  revision?: string
  /** For a pull request, which readers may open. */
  isPull: boolean
}

/** The one action on every object of a batch that is sent as chunks; chunk/ knows of tokens, and this room not of chunk/. */
export type OfferChunks = (ctx: Ctx, target: ChunkTarget) => LfsAction

interface Sending {
  repo: RepoAddress
  owner: Owner
  object: { sha256: string; sizeBytes: number }
  /** Set when the batch is sent in parts. */
  upload: UploadRow | undefined
}

/** How an object is sent and confirmed. */
export function uploadActions(ctx: Ctx, sending: Sending): Record<'upload' | 'verify', LfsAction> {
  const { repo, owner, object, upload } = sending
  const expires_in = Math.floor(ctx.config.lfs.upload_url_ttl / 1000)
  return {
    upload: upload
      ? { href: completionUrl(ctx, upload.id), header: partHeader(ctx, upload), expires_in }
      : { href: objectPutUrl(ctx, owner, object), header: {}, expires_in },
    verify: { href: verifyUrl(ctx, repo, owner), header: {}, expires_in },
  }
}

/**
 * `chunk_size` and one URL per part under `00001`, `00002` …, and nothing else: git-lfs sorts the keys as text and the
 * hub's transfer agent takes every other value as a part URL, in that order (git-storage.md §8.4).
 */
function partHeader(ctx: Ctx, upload: UploadRow): Record<string, string> {
  const header: Record<string, string> = { chunk_size: String(upload.part_size) }
  for (let n = 1; n <= partCount(upload); n++)
    header[String(n).padStart(5, '0')] = partPutUrl(ctx, upload.id, n)
  return header
}
