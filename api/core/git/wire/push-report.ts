import { setTimeout as pause } from 'node:timers/promises'
import type { ByteSource } from '../../../stores/storage/index.ts'
import { band, banded, FLUSH, KEEP_ALIVE, pkt } from './pkt-line.ts'
import type { PushRequest } from './receive-request.ts'

// Proxies cut connections on which nothing moves; resolving the deltas of a large pack takes minutes.
const KEEP_ALIVE_MS = 5000

/** How a push ended. */
export interface PushReport {
  /** Why the pack was not taken; absent when it was, or none was needed. */
  unpackFault?: string
  /** Per ref asked for, in that order: why it stays as it was; absent when it moved. */
  refs: { ref: string; refusal?: string }[]
  /** Lines for the person, which git shows behind `remote:`. */
  messages: string[]
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** `report-status` (Documentation/gitprotocol-pack.txt, "Report Status"), on its band where the client takes bands. */
function formatReport(
  { unpackFault, refs, messages }: PushReport,
  { wantsReport, hasSideBand }: PushRequest,
): Buffer {
  const lines = [
    `unpack ${unpackFault === undefined ? 'ok' : oneLine(unpackFault)}`,
    ...refs.map(({ ref, refusal }) =>
      refusal === undefined ? `ok ${ref}` : `ng ${ref} ${oneLine(refusal)}`,
    ),
  ]
  const status = wantsReport
    ? Buffer.concat([...lines.map((line) => pkt(`${line}\n`)), FLUSH])
    : Buffer.alloc(0)
  if (!hasSideBand) return status
  const said = messages.map((line) => banded(band.message, Buffer.from(`${line}\n`)))
  return Buffer.concat([...said, banded(band.data, status), FLUSH])
}

/** The answer to a push under way; while it is, an empty packet now and then where the client takes bands. */
export async function* answerWhenDone(work: Promise<PushReport>, request: PushRequest): ByteSource {
  for (;;) {
    const timer = new AbortController()
    const waited = pause(KEEP_ALIVE_MS, 'waited' as const, { signal: timer.signal })
    waited.catch(() => undefined)
    const done = await Promise.race([work, waited]).finally(() => timer.abort())
    if (done !== 'waited') {
      yield formatReport(done, request)
      return
    }
    if (request.hasSideBand) yield KEEP_ALIVE
  }
}
