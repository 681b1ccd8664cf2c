import type { Context } from 'hono'
import { Problem } from '../../platform/problems/index.ts'
import { ByteBuffer, limited, TooManyBytes } from '../../stores/storage/index.ts'
import { declaredLength, requestBytes } from './bytes.ts'
import type { Env } from './env.ts'
import { requireUnencoded } from './inflated.ts'

const KIB = 1024
/** The most bytes of a body, by what a route declares; `server.max_request_body` wins where it is lower. */
const sizes = { small: 64 * KIB, usual: KIB * KIB }
/** Within this a body of these sizes must arrive. Larger ones may take longer while bytes come. */
const ARRIVES_WITHIN_MS = 30_000
/** What a body has beyond that, at random: 2000 bodies that stall at once are not refused in one turn of the event loop. */
const GRACE_MS = 3000

/** How much of a body is read into memory. */
export interface BodyLimit {
  /** `small` is 64 KiB, `usual` 1 MiB. Without it anonymous callers have `small`, others `usual`. */
  size?: keyof typeof sizes | undefined
  /**
   * Checks the caller's access. Once it resolves, the body may have `server.max_request_body`. It is not called for a
   * body whose declared length fits `size`.
   */
  admit?: (() => Promise<unknown>) | undefined
}

/**
 * How many bytes of bodies above 1 MiB may be in memory at once. As JSON each costs twice its size in the heap, which may
 * have 512 MiB.
 */
const MAX_LARGE_BYTES = 96 * KIB * KIB
let largeBytes = 0

/** Counts a large body while its request lasts. Problem `temporarily-unavailable` while others leave no room. */
class LargeShare {
  #bytes = 0

  take(bytes: number): void {
    if (largeBytes + bytes > MAX_LARGE_BYTES)
      throw new Problem('temporarily-unavailable', {
        detail: 'The server is reading other large bodies. Retry in 5 s.',
        retryAfterS: 5,
      })
    largeBytes += bytes
    this.#bytes += bytes
  }

  giveBack(): void {
    largeBytes -= this.#bytes
    this.#bytes = 0
  }
}

/**
 * The whole body of a request. Problems: `body-too-large` above its limit, `request-timeout` for one that does not
 * arrive in time, `unsupported-media-type` for a compressed one.
 */
export async function readBody(c: Context<Env>, { size, admit }: BodyLimit = {}): Promise<Buffer> {
  requireUnencoded(c)
  const { actor, config } = c.var.ctx
  const limitOf = (bytes: number) => Math.min(bytes, config.server.max_request_body)
  let maxBytes = limitOf(sizes[size ?? (actor.kind === 'anonymous' ? 'small' : 'usual')])
  const declared = declaredLength(c)
  if (admit && (declared === undefined || declared > maxBytes)) {
    await admit()
    maxBytes = config.server.max_request_body
  }
  if (declared !== undefined && declared > maxBytes) throw tooLarge(maxBytes)
  return gather(c, maxBytes)
}

const tooLarge = (maxBytes: number) =>
  new Problem('body-too-large', { detail: `The body may have at most ${maxBytes} bytes.` })

async function gather(c: Context<Env>, maxBytes: number): Promise<Buffer> {
  const isLarge = maxBytes > sizes.usual
  const source = requestBytes(c, isLarge ? undefined : ARRIVES_WITHIN_MS + Math.random() * GRACE_MS)
  const share = new LargeShare()
  const bytes = new ByteBuffer()
  try {
    for await (const chunk of limited(source, maxBytes)) {
      if (isLarge && bytes.length + chunk.length > sizes.usual) share.take(chunk.length)
      bytes.append(chunk)
    }
  } catch (error) {
    share.giveBack()
    throw error instanceof TooManyBytes ? tooLarge(maxBytes) : error
  }
  const { outgoing } = c.env ?? {}
  if (outgoing && !outgoing.closed) outgoing.once('close', () => share.giveBack())
  else share.giveBack()
  return bytes.take()
}
