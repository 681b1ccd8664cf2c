import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../platform/problems/index.ts'
import type { ByteSource } from '../../stores/storage/index.ts'
import { requestBytes } from './bytes.ts'
import type { Env } from './env.ts'
import { headerOf } from './header.ts'

/** More is no text that anybody sends; zeros deflate a thousandfold (reliability.md §7). */
const MAX_RATIO = 100
const MIN_JUDGED_BYTES = 1024 * 1024

const encodingOf = (c: Context<Env>) => headerOf(c, 'content-encoding')?.trim().toLowerCase() || 'identity'

/** Problem `unsupported-media-type` for a compressed body, which would be read as it came. */
export function requireUnencoded(c: Context<Env>): void {
  if (encodingOf(c) === 'identity') return
  throw new Problem('unsupported-media-type', {
    detail: 'The only Content-Encoding taken here is identity: send the body uncompressed.',
  })
}

/** The request's body without its `Content-Encoding`, of which gzip alone is taken. The reader sets a limit. */
export function inflatedBytes(c: Context<Env>): ByteSource {
  const encoding = encodingOf(c)
  if (encoding === 'identity') return requestBytes(c)
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipped(requestBytes(c))
  throw new Problem('unsupported-media-type', { detail: 'The only Content-Encoding taken is gzip.' })
}

async function* gunzipped(source: ByteSource): ByteSource {
  let takenBytes = 0
  let madeBytes = 0
  const counted = async function* () {
    for await (const chunk of source) {
      takenBytes += chunk.byteLength
      yield chunk
    }
  }
  try {
    for await (const chunk of Readable.from(counted()).compose(createGunzip()) as AsyncIterable<Buffer>) {
      madeBytes += chunk.length
      if (madeBytes > MIN_JUDGED_BYTES && madeBytes > MAX_RATIO * takenBytes)
        throw new Problem('body-too-large', { detail: 'The body is compressed suspiciously well.' })
      yield chunk
    }
  } catch (error) {
    const isDamaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isDamaged ? new Problem('invalid-request', { detail: 'The body is not sound gzip.' }) : error
  }
}
