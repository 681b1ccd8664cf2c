import { safeStream, type Guard } from '../../../platform/net/index.ts'
import type { Finding } from '../check.ts'

/** A proxy that buffers is taken for one when it has held back each time: a busy machine may read late once. */
const TRIES = 3
const MAX_BYTES = 4096

/** Milliseconds over which the server has sent its pieces, and over which they have arrived. */
interface Spans {
  sentMs: number
  arrivedMs: number
}

/** Each line of the answer has the time at which it was sent; `undefined` when it is another answer. */
async function spansOf(url: string, guard: Guard, signal: AbortSignal): Promise<Spans | undefined> {
  const answer = await safeStream(url, guard, { signal })
  const arrivals: number[] = []
  let text = ''
  for await (const piece of answer.body) {
    arrivals.push(performance.now())
    text += piece.toString('latin1')
    if (text.length > MAX_BYTES) break
  }
  if (answer.status !== 200 || !/^(?:\d+\n){2,}$/.test(text)) return undefined
  const sent = text.trim().split('\n').map(Number)
  return { sentMs: spanOf(sent), arrivedMs: spanOf(arrivals) }
}

const spanOf = (times: number[]) => (times.at(-1) ?? 0) - (times[0] ?? 0)

/** What is wrong with the way of a long answer to its reader: a proxy that collects it first. */
export async function holdsBack(
  publicUrl: string,
  guard: Guard,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  for (let left = TRIES; left > 0; left--) {
    const spans = await spansOf(`${publicUrl}/-/doctor/pieces`, guard, signal)
    // A server of an older version answers at once, as for any path below.
    if (!spans || spans.arrivedMs >= spans.sentMs / 4) return undefined
  }
  return {
    status: 'warn',
    text: 'the proxy holds answers back: pieces that were sent one by one arrived together',
    fix: 'Let the proxy pass bodies as they come. In nginx: proxy_buffering off and proxy_request_buffering off.',
  }
}
