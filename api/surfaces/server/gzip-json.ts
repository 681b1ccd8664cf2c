import type { MiddlewareHandler } from 'hono'
import { promisify } from 'node:util'
import { constants, gzip as gzipCallback } from 'node:zlib'
import { nativeBase } from '../../core/http/surface.ts'
import type { Env } from '../../core/http/env.ts'

const gzipBytes = promisify(gzipCallback)

/** What is made for one request, at a level that takes little longer than the fastest. */
export const gzip = (bytes: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> =>
  gzipBytes(bytes, { level: constants.Z_BEST_SPEED + 3 })

export const takesGzip = (acceptEncoding = ''): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)

/** Smaller answers fit into one packet as they are. */
const leastBytes = 1400

/** A page that makes a browser ask for it again and again could read secrets from its compressed length (BREACH). */
const secretive = `${nativeBase}/me`

/**
 * Compresses lists and other JSON that is read, for clients that take gzip: a page of 100 repos is 100 KB of JSON, 8 KB
 * compressed. Answers with an ETag go as they are, since `If-Match` compares the bytes it names.
 */
export const gzipJson: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const { headers, status, body } = c.res
  const isWanted =
    c.req.method === 'GET' &&
    status === 200 &&
    body !== null &&
    c.req.path !== secretive &&
    takesGzip(c.req.header('Accept-Encoding')) &&
    /^application\/json\b/.test(headers.get('Content-Type') ?? '') &&
    !headers.has('ETag') &&
    !headers.has('Content-Encoding')
  if (!isWanted) return
  const bytes = new Uint8Array(await c.res.arrayBuffer())
  const isSmall = bytes.length < leastBytes
  const sent = isSmall ? bytes : await gzip(bytes)
  c.res = new Response(sent, { status, headers })
  c.res.headers.append('Vary', 'Accept-Encoding')
  if (isSmall) return
  c.res.headers.set('Content-Encoding', 'gzip')
  c.res.headers.set('Content-Length', String(sent.length))
}
