import type { Config } from '../../platform/config/index.ts'
import {
  guardFor,
  OutboundError,
  safeFetch,
  type Lookup,
  type OutboundFault,
} from '../../platform/net/index.ts'
import { signatureOf } from './secret.ts'

/** One attempt at telling a webhook something. */
export interface Attempt {
  deliveryId: string
  url: string
  body: string
  /** Absent: nothing is signed. */
  secret: string | undefined
  /** Sends the secret along as it is. */
  secretHeader: boolean
  at: Date
}

export interface Response {
  status: number
  headers: Record<string, string>
  body: string
  duration_ms: number
}

/** What came of it: an answer, whatever it says, or why there is none. */
export type Outcome = { response: Response } | { fault: OutboundFault; message: string }

// native-api.md §5
const TOTAL_MS = 10_000
const READ_BYTES = 64 * 1024
/** reliability.md §2, L8: headers and body together. */
const KEPT_BYTES = 8 * 1024
const KEPT_HEADER_BYTES = 2 * 1024

const hidden = '(not shown)'

/** The headers of an attempt, as they are sent and as they may be shown. */
export function headersOf({ deliveryId, body, secret, secretHeader, at }: Attempt) {
  const seconds = Math.floor(at.getTime() / 1000)
  const message = { id: deliveryId, seconds, body }
  const shown = {
    'Content-Type': 'application/json',
    'User-Agent': 'Arsenal-Webhooks/1',
    'webhook-id': deliveryId,
    'webhook-timestamp': String(seconds),
    ...(secret === undefined ? {} : { 'webhook-signature': signatureOf(secret, message) }),
  }
  if (secret === undefined || !secretHeader) return { sent: shown, shown }
  const name = 'X-Webhook-Secret'
  return { sent: { ...shown, [name]: secret }, shown: { ...shown, [name]: hidden } }
}

/** Sends an attempt. Nothing that the other side does makes it throw; `signal` does, with its reason. */
export async function send(
  config: Config,
  attempt: Attempt,
  signal: AbortSignal,
  lookup?: Lookup,
): Promise<Outcome> {
  const guard = guardFor('webhook', config.security.outbound_allow, lookup)
  const startedAt = performance.now()
  try {
    const { status, headers, body } = await safeFetch(attempt.url, guard, {
      method: 'POST',
      headers: headersOf(attempt).sent,
      body: Buffer.from(attempt.body),
      firstByteMs: TOTAL_MS,
      totalMs: TOTAL_MS,
      maxBytes: READ_BYTES,
      beyond: 'cut',
      signal,
    })
    const duration_ms = Math.round(performance.now() - startedAt)
    return { response: { status, ...kept(headers, body), duration_ms } }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { fault: error.fault, message: error.message }
  }
}

/** Postgres holds no NUL. */
const held = (text: string) => text.replaceAll('\0', '\ufffd')

function kept(headers: Record<string, string>, body: Buffer) {
  const few: Record<string, string> = {}
  let length = 0
  for (const [name, value] of Object.entries(headers)) {
    length += name.length + value.length
    if (length > KEPT_HEADER_BYTES) break
    few[name] = held(value)
  }
  const text = body.subarray(0, KEPT_BYTES - KEPT_HEADER_BYTES).toString('utf8')
  return { headers: few, body: held(text) }
}
