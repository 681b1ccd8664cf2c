import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { Problem } from '../../../../platform/problems/index.ts'
import { startThread } from '../../../../platform/workers.ts'
import type { Parsed } from './parse.ts'

/**
 * A `model-index` of 900 KiB takes 1.1 s on one core; the rest is for a busy machine. The hardest 1 MiB, of empty lists
 * side by side, takes 4 s and more memory than there is: it is not read.
 */
const DEADLINE_MS = 10_000
/** How long a thread may take to start. */
const START_MS = 10_000
/** A thread without work ends, and gives back its 15 MiB. */
const IDLE_MS = 10_000
const MAX_WAITING = 64
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

let waiting = 0
let last: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/**
 * `parseYaml` in a thread with a limit of memory and time, one text after the other; `undefined` for a text that goes
 * beyond either. The thread starts with the first text. Problem `temporarily-unavailable`.
 */
export async function parseInThread(yaml: string): Promise<Parsed | undefined> {
  if (waiting >= MAX_WAITING) throw unavailable('Too many cards are being read.')
  waiting++
  const turn = last.then(() => parseNow(yaml))
  last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting--
  }
}

async function parseNow(yaml: string): Promise<Parsed | undefined> {
  clearTimeout(idle)
  const worker = (thread ??= await start())
  worker.ref()
  try {
    const answered = once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) })
    worker.postMessage(yaml)
    const [parsed] = (await answered) as [Parsed]
    worker.unref()
    idle = setTimeout(() => void end(worker), IDLE_MS).unref()
    return parsed
  } catch {
    // Beyond its time, or out of memory.
    await end(worker)
    return undefined
  }
}

async function start(): Promise<Worker> {
  const worker = startThread(new URL('./yaml.worker.ts', import.meta.url), undefined, limits)
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_MS) })
    // Unhandled, the error of a thread that dies while it is idle would end the process.
    worker.on('error', () => undefined)
    worker.once('exit', () => void end(worker))
    return worker
  } catch (cause) {
    await worker.terminate()
    throw unavailable('Cards cannot be read now.', cause)
  }
}

async function end(worker: Worker): Promise<void> {
  if (thread === worker) thread = undefined
  await worker.terminate()
}

const unavailable = (detail: string, cause?: unknown) =>
  new Problem('temporarily-unavailable', { detail: `${detail} Try again.`, retryAfterS: 2, cause })
