import type { Ctx } from '../../../core/ctx.ts'
import type { Repo, RepoAddress } from '../../repos/index.ts'
import { uploadUrlMs } from '../bucket/bucket-uploads.ts'
import type { Grant } from '../signed/grant.ts'
import { completionUrl, objectPutUrl, partPutUrl, verifyUrl } from '../signed/addresses.ts'
import { partCount } from '../receive/part-size.ts'
import type { UploadRow } from '../queries.ts'

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
export type ChunkActionFor = (ctx: Ctx, target: ChunkTarget) => LfsAction

interface Arranged {
  repo: RepoAddress
  grant: Grant
  object: { sha256: string; sizeBytes: number }
  transfer: 'basic' | 'multipart'
  /** Set unless it is empty and sent in one piece. */
  upload: UploadRow | undefined
  /** Where it or its parts go in the bucket. */
  urls: string[] | undefined
}

/** How an object is sent and confirmed. */
export function uploadActions(ctx: Ctx, arranged: Arranged): Record<'upload' | 'verify', LfsAction> {
  const { repo, grant, object, transfer, upload, urls } = arranged
  const expires_in = Math.floor(uploadUrlMs(ctx) / 1000)
  const isInParts = transfer === 'multipart' && upload
  return {
    upload: isInParts
      ? {
          href: completionUrl(ctx, grant, upload.id),
          header: partHeader(ctx, grant, upload, urls),
          expires_in,
        }
      : { href: urls?.[0] ?? objectPutUrl(ctx, grant, object), header: {}, expires_in },
    verify: { href: verifyUrl(ctx, grant, repo), header: {}, expires_in },
  }
}

/**
 * `chunk_size` and one URL per part under `00001`, `00002` …, and nothing else: git-lfs sorts the keys as text and the
 * hub's transfer agent takes every other value as a part URL, in that order (git-storage.md §8.4).
 */
function partHeader(
  ctx: Ctx,
  grant: Grant,
  upload: UploadRow,
  urls: string[] | undefined,
): Record<string, string> {
  const header: Record<string, string> = { chunk_size: String(upload.part_size) }
  for (let n = 1; n <= partCount(upload); n++)
    header[String(n).padStart(5, '0')] = urls?.[n - 1] ?? partPutUrl(ctx, grant, upload.id, n)
  return header
}
