import type { MiddlewareHandler } from 'hono'
import { declaredLength } from './bytes.ts'
import { Problem } from '../problems/index.ts'
import type { Env } from './env.ts'

/**
 * Refuses bodies above `maxBytes` with Problem `body-too-large`. A body without a declared length (chunked, or a DELETE
 * that has none) is read first and handed on whole: hono's own limit rebuilds such a request in a way that only works
 * where the adapter has replaced the global `Request` (@hono/node-server 2 with `overrideGlobalObjects: false`).
 */
export function limitBody(maxBytes: number): MiddlewareHandler<Env> {
  const refusal = () =>
    new Problem('body-too-large', { detail: `The body may have at most ${maxBytes} bytes.` })
  return async (c, next) => {
    // Asking for the body makes a Request of undici's, which costs more than many a GET; fetch gives a GET none.
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    const { body, headers } = c.req.raw
    const declared = declaredLength(c)
    if (declared !== undefined && declared > maxBytes) throw refusal()
    if (body && declared === undefined) {
      const bytes = await readAtMost(body, maxBytes, refusal)
      c.req.raw = new Request(c.req.url, { method: c.req.method, headers, body: bytes })
    }
    await next()
  }
}

async function readAtMost(body: ReadableStream<Uint8Array>, maxBytes: number, refusal: () => Problem) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw refusal()
    chunks.push(chunk)
  }
  return new Blob(chunks).arrayBuffer()
}
