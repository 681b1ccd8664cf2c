import { Problem } from '../../platform/problems/index.ts'
import type { Acceptance } from './accept-shard.ts'

/** Proxies give up on a silent answer after 60 s, hf-xet after 300 s (chunk-upload.md §5.1). */
const KEEP_ALIVE_MS = 15_000

/** The last line of an answer to a manifest that was refused. */
export interface ErrorFrame {
  type: 'error'
  /** Reaches the person word for word. */
  message: string
  /** Lets the client send the whole manifest again. */
  retryable: boolean
}

interface Telling {
  /** Ends the watching when no client listens any more. */
  signal: AbortSignal
  /** Ends it with a frame that lets the client come again, to the next process. */
  stopping: AbortSignal
  toFrame(error: unknown): ErrorFrame
  keepAliveMs?: number
}

type Step = Awaited<ReturnType<ReturnType<Acceptance['watch']>['next']>>

const validating = (verified: number, total: number) => ({ type: 'validating', verified, total })
const finished = [
  { type: 'committing', stage: 'uploading' },
  { type: 'committing', stage: 'syncing' },
  { type: 'result', result: 1 },
]

const restarting = () =>
  new Problem('temporarily-unavailable', { detail: 'The server is being restarted.', retryAfterS: 1 })

/** What happens next, or nothing when it lets so long wait for itself. */
function within(next: Promise<Step>, ms: number): Promise<Step | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    next.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * The frames of a `/v2/shards` answer, one JSON object a line: progress, said again while there is none, and at the
 * end, whatever comes, `result` or `error`. Without a last frame the Python client fails and does not try again.
 */
export async function* shardFrames(
  { isDone, watch }: Acceptance,
  { signal, stopping, toFrame, keepAliveMs = KEEP_ALIVE_MS }: Telling,
): AsyncGenerator<object> {
  try {
    if (!isDone) yield* progressFrames(watch(AbortSignal.any([signal, stopping])), keepAliveMs)
    yield* finished
  } catch (error) {
    if (!signal.aborted) yield toFrame(stopping.aborted ? restarting() : error)
  }
}

async function* progressFrames(
  steps: AsyncGenerator<Step['value']>,
  keepAliveMs: number,
): AsyncGenerator<object> {
  const take = () => {
    const next = steps.next()
    // Its failure is met when it is awaited, which may be after the line that keeps the connection.
    next.catch(() => undefined)
    return next
  }
  let last = validating(0, 0)
  for (let next = take(); ;) {
    const step = await within(next, keepAliveMs)
    if (step?.done) return
    if (step) {
      last = validating(step.value.verifiedBytes, step.value.totalBytes)
      next = take()
    }
    yield last
  }
}

/**
 * Waits for the files of a manifest, but at most so long: Node's `fetch` takes 300 s without an answer, and the commit
 * waits as well (chunk-upload.md §10). Throws the Problem of a file that could not be rebuilt, to those who listen.
 */
export async function waitForShard(
  { isDone, watch }: Acceptance,
  signal: AbortSignal,
  waitMs = 60_000,
): Promise<void> {
  if (isDone) return
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), waitMs)
  try {
    for await (const step of watch(AbortSignal.any([signal, end.signal]))) void step
  } catch (error) {
    if (!end.signal.aborted && !signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
}
