import type { Context } from 'hono'
import { clientCommit, openFileAt, type OpenedFile } from '../../../rooms/content/index.ts'
import { lastModified, sendBlob } from '../../../core/http/bytes.ts'
import { contentHeaders, mediaTypeOf } from '../../../core/http/content-headers.ts'
import { leastGzipBytes, takesGzip } from '../../../core/http/gzip.ts'
import { headerOf } from '../../../core/http/header.ts'
import { storeUrlFor } from '../../../core/http/store-url.ts'
import type { Env } from '../../../core/http/env.ts'
import { isHead } from '../../../core/http/head.ts'
import { countFetch, requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf, revisionAndPath } from '../wire/address.ts'

// Python refuses plain HTTP above this once HEAD names the size; 1.33 and newer take a HEAD without one (hub-wire.md §4.1).
const maxNamedBytes = 50e9
const canLearnLater = /hf_hub\/(?:1\.(?:3[3-9]|[4-9]\d)|[2-9])/

type Form = 'resolve' | 'raw'

function linkedHeaders(
  { lfs, sizeBytes, etag }: OpenedFile,
  form: Form,
  hidesSize: boolean,
): Record<string, string> {
  if (!lfs || form === 'raw') return {}
  return { 'X-Linked-Etag': `"${etag}"`, ...(hidesSize ? {} : { 'X-Linked-Size': String(sizeBytes) }) }
}

/** Our page shows files by the same addresses; what is saved from there says so. */
const isLook = (c: Context<Env>): boolean => {
  const { actor } = c.var.ctx
  return actor.kind === 'user' && actor.auth.kind === 'session' && c.req.query('download') !== 'true'
}

/**
 * Whether one of our own pages reads a text. Clients of the hub never get one compressed: they compare the length with
 * that of HEAD (hub-wire.md §4.1).
 */
function isTextOfPage(c: Context<Env>, path: string, sizeBytes: number): boolean {
  return (
    headerOf(c, 'sec-fetch-site') === 'same-origin' &&
    c.req.query('download') !== 'true' &&
    sizeBytes >= leastGzipBytes &&
    mediaTypeOf(path).type.startsWith('text/') &&
    takesGzip(headerOf(c, 'accept-encoding'))
  )
}

/** `HEAD|GET …/resolve/{rev}/{path}` and `…/raw/…`; `firstSegment` is where the revision begins in the address. */
export async function sendHubFile(c: Context<Env>, form: Form, firstSegment: number): Promise<Response> {
  const ctx = c.get('ctx')
  const repo = await requireRepo(ctx, addressOf(c), 'repo.read')
  const { revision, path } = await revisionAndPath(c, repo.id, firstSegment)
  const file = await openFileAt(ctx, repo, revision, path, form === 'raw' ? 'git' : 'content')
  const hidesSize = file.sizeBytes > maxNamedBytes && isHead(c) && canLearnLater.test(ctx.origin.userAgent)
  const headers: Record<string, string> = {
    'X-Repo-Commit': clientCommit(revision),
    ...contentHeaders(path, {
      download: c.req.query('download') === 'true',
      isPublic: ctx.config.security.anonymous_read && repo.visibility === 'public' && repo.gated === null,
    }),
    ...linkedHeaders(file, form, hidesSize),
  }
  const count = (bytes: number, offset?: number) => {
    if (form === 'resolve') countFetch(ctx, repo, { of: isLook(c) ? 'nothing' : { path }, bytes, offset })
  }
  const location = await storeUrlFor(c, () => file.objectKey(), headers)
  if (location) count(file.sizeBytes)
  if (location) {
    const validators = { ETag: `"${file.etag}"`, ...lastModified(file.modifiedAt) }
    return c.body(null, 302, { ...headers, ...validators, Location: location })
  }
  return sendBlob(c, {
    sizeBytes: file.sizeBytes,
    etag: file.etag,
    modifiedAt: file.modifiedAt,
    headers,
    open: (range, signal) => {
      count(range?.length ?? file.sizeBytes, range?.offset)
      return file.open(range, signal)
    },
    hidesLengthOnHead: hidesSize,
    isCompressed: isTextOfPage(c, path, file.sizeBytes),
  })
}
