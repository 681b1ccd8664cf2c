import type { MiddlewareHandler } from 'hono'
import { gzip, leastGzipBytes, takesGzip } from '../../core/http/gzip.ts'
import { nativeBase } from '../../core/http/surface.ts'
import type { Env } from '../../core/http/env.ts'

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
  const isSmall = bytes.length < leastGzipBytes
  const sent = isSmall ? bytes : await gzip(bytes)
  c.res = new Response(sent, { status, headers })
  c.res.headers.append('Vary', 'Accept-Encoding')
  if (isSmall) return
  c.res.headers.set('Content-Encoding', 'gzip')
  c.res.headers.set('Content-Length', String(sent.length))
}
