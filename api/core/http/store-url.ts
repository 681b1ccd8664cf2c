import type { Context } from 'hono'
import type { Env } from './env.ts'
import { isHead } from './head.ts'
import { headerOf } from './header.ts'

// Header reads and probes get their bytes at once, also where downloads are redirected (hub-wire.md §4.2).
const directRangeBytes = 2 ** 20

function isSmallRange(c: Context<Env>): boolean {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headerOf(c, 'range') ?? '') ?? []
  return from !== undefined && to !== undefined && Number(to) - Number(from) < directRangeBytes
}

/**
 * Where the store itself serves an object to this request, under the type and name of `headers`; `undefined`: send it
 * from here, as every HEAD. `key` is asked for only where that matters, and may answer that there is none.
 */
export async function storeUrlFor(
  c: Context<Env>,
  key: () => Promise<string | undefined> | string | undefined,
  headers: Record<string, string>,
): Promise<string | undefined> {
  const { blobs, config } = c.get('ctx')
  if (blobs.kind !== 's3' || config.storage.s3.download_mode === 'proxy') return undefined
  if (isHead(c) || isSmallRange(c)) return undefined
  const stored = await key()
  if (stored === undefined) return undefined
  const { 'Content-Type': contentType = '', 'Content-Disposition': contentDisposition = '' } = headers
  return blobs.presignGet(stored, {
    ttlS: config.storage.s3.presign_ttl / 1000,
    contentType,
    contentDisposition,
  })
}
