import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { safeFetch, safeStream, type Guard } from '../../../platform/net/index.ts'
import type { Finding } from '../check.ts'

/** A proxy counts as one that buffers when it has held back each time: a busy machine may read late once. */
const TRIES = 3
const MAX_BYTES = 4096

const PIECES = 4
const PIECE_BYTES = 1024
const PIECE_MS = 300

/** Milliseconds from the first to the last piece, where they were sent and where they arrived. */
interface Spans {
  sentMs: number
  arrivedMs: number
}

/** A path through the proxy; `undefined` when the server there does not tell the times, as one of an older version. */
type Way = (publicUrl: string, guard: Guard, signal: AbortSignal) => Promise<Spans | undefined>

const spanOf = (times: number[]) => (times.at(-1) ?? 0) - (times[0] ?? 0)

/** An answer, each of whose lines has the time at which it was sent. */
const answerWay: Way = async (publicUrl, guard, signal) => {
  const answer = await safeStream(`${publicUrl}/-/doctor/pieces`, guard, { signal })
  const arrivals: number[] = []
  let text = ''
  for await (const piece of answer.body) {
    arrivals.push(performance.now())
    text += piece.toString('latin1')
    if (text.length > MAX_BYTES) break
  }
  if (answer.status !== 200 || !/^(?:\d+\n){2,}$/.test(text)) return undefined
  return { sentMs: spanOf(text.trim().split('\n').map(Number)), arrivedMs: spanOf(arrivals) }
}

/** A body whose pieces the server takes the time of. */
const bodyWay: Way = async (publicUrl, guard, signal) => {
  const sent: number[] = []
  async function* pieces() {
    for (let n = 0; n < PIECES; n++) {
      if (n > 0) await pause(PIECE_MS, undefined, { signal })
      sent.push(performance.now())
      yield Buffer.alloc(PIECE_BYTES)
    }
  }
  const { body } = await safeFetch(`${publicUrl}/-/doctor`, guard, {
    method: 'POST',
    headers: { 'Content-Length': String(PIECES * PIECE_BYTES) },
    body: Readable.from(pieces()),
    signal,
  })
  const arrivedMs = bodyMsOf(body.toString())
  return arrivedMs === undefined ? undefined : { sentMs: spanOf(sent), arrivedMs }
}

function bodyMsOf(text: string): number | undefined {
  try {
    const ms = (JSON.parse(text) as { request?: { body_ms?: unknown } }).request?.body_ms
    return typeof ms === 'number' ? ms : undefined
  } catch {
    return undefined
  }
}

async function isHeldBack(way: Way, ...to: Parameters<Way>): Promise<boolean> {
  for (let left = TRIES; left > 0; left--) {
    const spans = await way(...to)
    if (!spans || spans.arrivedMs >= spans.sentMs / 4) return false
  }
  return true
}

/** Whether a proxy collects answers, or the bodies of requests, before it passes them on. */
export async function heldBack(...to: Parameters<Way>): Promise<Finding[]> {
  const [answers, bodies] = await Promise.all([isHeldBack(answerWay, ...to), isHeldBack(bodyWay, ...to)])
  return [
    answers && {
      status: 'warn' as const,
      text: 'the proxy holds answers back: pieces that were sent one by one arrived together',
      fix: 'Let the proxy pass answers as they come. In nginx: proxy_buffering off.',
    },
    bodies && {
      status: 'warn' as const,
      text: 'the proxy holds uploads back: it stores each request before it passes it on',
      fix: 'Let the proxy pass bodies as they come. In nginx: proxy_request_buffering off.',
    },
  ].filter((finding) => finding !== false)
}
