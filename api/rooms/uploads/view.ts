import type { z } from '@hono/zod-openapi'
import type { Ctx } from '../../core/ctx.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { typePathOf, type RepoAddress } from '../repos/index.ts'
import { partCount } from './receive/part-size.ts'
import type { FilePlan } from './plan.ts'
import type { UploadRow } from './queries.ts'
import type { ReceivedPart } from './receive/received-parts.ts'
import type { UploadPlan, UploadStatus } from './routes.ts'

/** Addresses are of the origin the caller used, where their session cookie is valid, or of the bucket, where none is asked for. */
export function planView(ctx: Ctx, repo: RepoAddress, files: FilePlan[]): z.output<typeof UploadPlan> {
  return {
    files: files.map((file) =>
      file.mode === 'upload'
        ? { path: file.path, mode: file.mode, upload: targetsView(ctx, repo, file) }
        : { path: file.path, mode: file.mode },
    ),
  }
}

function targetsView(
  { origin }: Ctx,
  { type, ns, name }: RepoAddress,
  { upload, urls }: Extract<FilePlan, { mode: 'upload' }>,
) {
  const url = `${origin.baseUrl}${nativeBase}/repos/${typePathOf(type)}/${ns}/${name}/uploads/${upload.id}`
  const headers = { 'Content-Type': 'application/octet-stream' }
  return {
    id: upload.id,
    part_size: upload.part_size,
    parts: Array.from({ length: partCount(upload) }, (_, i) => ({
      n: i + 1,
      url: urls?.[i] ?? `${url}/parts/${i + 1}`,
      headers: urls ? {} : headers,
    })),
    expires_at: upload.expires_at.toISOString(),
    complete_url: `${url}/complete`,
  }
}

/** The API has one status for the two ways of completing. */
const statusOf = ({ status }: UploadRow) =>
  status === 'joining' || status === 'verifying' ? 'completing' : status

export function uploadView(upload: UploadRow, parts: ReceivedPart[]): z.output<typeof UploadStatus> {
  const received = parts.reduce((sum, part) => sum + part.size, 0)
  return {
    id: upload.id,
    ...(upload.path === null ? {} : { path: upload.path }),
    size: upload.size,
    sha256: upload.sha256,
    status: statusOf(upload),
    part_size: upload.part_size,
    parts: parts.map(({ n, size, etag }) => ({ n, size, etag })),
    bytes_received: upload.status === 'complete' ? upload.size : received,
    expires_at: upload.expires_at.toISOString(),
  }
}
