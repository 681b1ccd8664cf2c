import type { Ctx } from '../../../../core/ctx.ts'
import {
  checkTarget,
  guardFor,
  isAllowed,
  OutboundError,
  safeFetch,
  type Lookup,
} from '../../../../platform/net/index.ts'
import { openToken, type StreamRow } from './row.ts'

/** Lines of JSON, and the name by which a receiver tells that they come again. */
export interface Batch {
  key: string
  body: string
}

/** What came of a batch: `error` says why it was not taken. */
export interface Sent {
  status?: number
  error?: string
}

const TOTAL_MS = 30_000
const READ_BYTES = 64 * 1024

/**
 * Proves that the audit may be sent to an address: as for webhooks, and without encryption only within ranges that
 * `security.outbound_allow` has for `audit`. Throws `OutboundError`.
 */
export async function checkAddress({ config }: Pick<Ctx, 'config'>, url: string, lookup?: Lookup) {
  const guard = guardFor('audit', config.security.outbound_allow, lookup)
  const target = await checkTarget(url, guard)
  const isOwn = target.addresses.every((address) => isAllowed(address, guard.allowed))
  if (target.url.protocol !== 'https:' && !isOwn) throw new OutboundError('unencrypted')
  return guard
}

/** Sends a batch. Nothing that the other side does makes it throw; `signal` does, with its reason. */
export async function sendBatch(
  ctx: Pick<Ctx, 'config' | 'secrets'>,
  stream: Pick<StreamRow, 'url' | 'token'>,
  { key, body }: Batch,
  signal: AbortSignal,
  lookup?: Lookup,
): Promise<Sent> {
  const token = stream.token === null ? undefined : openToken(ctx, stream.token)
  if (stream.token !== null && token === undefined)
    return { error: 'The token can no longer be read. Set it again.' }
  try {
    const guard = await checkAddress(ctx, stream.url, lookup)
    const { status } = await safeFetch(stream.url, guard, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-ndjson',
        'User-Agent': 'Arsenal-Audit/1',
        'Idempotency-Key': key,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: Buffer.from(body),
      firstByteMs: TOTAL_MS,
      totalMs: TOTAL_MS,
      maxBytes: READ_BYTES,
      beyond: 'cut',
      signal,
    })
    const isTaken = status >= 200 && status < 300
    return isTaken ? { status } : { status, error: `The answer was ${status}, not 2xx.` }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { error: error.message }
  }
}
