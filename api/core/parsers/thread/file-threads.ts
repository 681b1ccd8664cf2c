import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { Limiter } from '../../../platform/flow/index.ts'
import { startThread } from '../../../platform/workers.ts'
import { MAX_READ_BYTES, type RangedReader } from '../reader/ranged-reader.ts'
import {
  FILLED,
  HEAD_BYTES,
  LENGTH,
  STATE,
  type RangeAsked,
  type Reply,
  type Report,
  type Request,
} from './messages.ts'

/** A thread without work ends. */
const IDLE_MS = 10_000
const START_MS = 60_000

/** Why a file could not be judged. It is stored beside the file, and never counts as safe. */
export class FileFailure extends Error {
  /** `resource_limit`: memory or time ran out. `invalid`: the file is damaged. `crashed`: a fault of ours. */
  readonly code: 'resource_limit' | 'invalid' | 'crashed'

  constructor(code: 'resource_limit' | 'invalid' | 'crashed', message: string) {
    super(message)
    this.code = code
  }
}

interface Limits {
  /** How many files at once. */
  threads: number
  /** Time of one file, waiting for its bytes included. */
  deadlineMs: number
  /** Heap of one thread. */
  memoryMb: number
}

/** A reader that bounds what its thread decodes, together with others. */
export interface RoomyReader extends RangedReader {
  takeRoom?(bytes: number, signal: AbortSignal): Promise<void>
}

interface Idle {
  worker: Worker
  shared: SharedArrayBuffer
  timer: NodeJS.Timeout
  /** Ends it; listens to its exit while it is idle. */
  end: () => void
}

/**
 * Runs a `<name>.worker.ts` made by `serveFiles` on files, one per thread, each with a limit of memory and time. Threads
 * start when they are needed and end when they are not. What kills a thread fails its file alone.
 */
export class FileThreads<Input, Answer> {
  readonly #entry: URL
  readonly #limits: Limits
  readonly #idle: Idle[] = []
  readonly #turns: Limiter

  constructor(entry: URL, limits: Limits) {
    this.#entry = entry
    this.#limits = limits
    this.#turns = new Limiter({ atOnce: limits.threads })
  }

  /** Rejects with a `FileFailure`, with the error of the reader, or with the reason of the signal. */
  async run(input: Input, reader: RoomyReader, signal?: AbortSignal): Promise<Answer> {
    const release = await this.#turns.take(signal ? { signal } : {})
    try {
      return await this.#runNow(input, reader, signal)
    } finally {
      release()
    }
  }

  /** Ends the threads that have no work; for tests and the end of the server. */
  async close(): Promise<void> {
    await Promise.all(
      this.#idle.splice(0).map(({ worker, timer }) => (clearTimeout(timer), worker.terminate())),
    )
  }

  async #runNow(input: Input, reader: RangedReader, signal: AbortSignal | undefined): Promise<Answer> {
    const { worker, shared } = this.#take() ?? (await this.#start())
    const over = new AbortController()
    let isDone = false
    try {
      const answer = await this.#talk(worker, shared, { input, reader, signal, over })
      isDone = true
      return answer
    } finally {
      over.abort(signal?.reason)
      if (isDone) this.#keep(worker, shared)
      else await worker.terminate()
    }
  }

  #talk(
    worker: Worker,
    shared: SharedArrayBuffer,
    task: { input: Input; reader: RoomyReader; signal: AbortSignal | undefined; over: AbortController },
  ): Promise<Answer> {
    const { input, reader, signal, over } = task
    return new Promise<Answer>((resolve, reject) => {
      const listen = <T>(name: string, handle: (value: T) => void) => {
        worker.on(name, handle)
        over.signal.addEventListener('abort', () => worker.off(name, handle))
      }
      const late = () =>
        reject(
          new FileFailure('resource_limit', `The file takes more than ${this.#limits.deadlineMs / 1000} s.`),
        )
      const timer = setTimeout(late, this.#limits.deadlineMs)
      over.signal.addEventListener('abort', () => clearTimeout(timer))
      listen('message', (report: Report<Answer>) => {
        if (report === 'ready') return
        if ('answer' in report) resolve(report.answer)
        else if ('failure' in report)
          reject(new FileFailure(report.isFault ? 'invalid' : 'crashed', report.failure))
        else if ('request' in report) answerRequest(worker, task, report).catch(reject)
        else handOver(reader, report.read, shared, over.signal).catch(reject)
      })
      listen('error', (error: Error & { code?: string }) => reject(failureOf(error, this.#limits)))
      listen('exit', () => reject(new FileFailure('crashed', 'The thread ended before it answered.')))
      if (signal) {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal })
        if (signal.aborted) reject(signal.reason as Error)
      }
      worker.postMessage({ input, sizeBytes: reader.sizeBytes })
    })
  }

  #take(): Idle | undefined {
    const idle = this.#idle.pop()
    if (!idle) return undefined
    clearTimeout(idle.timer)
    idle.worker.off('exit', idle.end)
    idle.worker.ref()
    return idle
  }

  async #start(): Promise<Omit<Idle, 'timer' | 'end'>> {
    const shared = new SharedArrayBuffer(HEAD_BYTES + MAX_READ_BYTES)
    const memory = { maxOldGenerationSizeMb: this.#limits.memoryMb, maxYoungGenerationSizeMb: 32 }
    const worker = startThread(this.#entry, { shared }, memory)
    await once(worker, 'message', { signal: AbortSignal.timeout(START_MS) })
    // Unhandled, the error of a thread that dies while it is idle would end the process.
    worker.on('error', () => undefined)
    return { worker, shared }
  }

  #keep(worker: Worker, shared: SharedArrayBuffer): void {
    worker.unref()
    const end = () => {
      const place = this.#idle.findIndex((idle) => idle.worker === worker)
      if (place !== -1) this.#idle.splice(place, 1)
      void worker.terminate()
    }
    this.#idle.push({ worker, shared, end, timer: setTimeout(end, IDLE_MS).unref() })
    worker.once('exit', end)
  }
}

/** Answers what a thread asked for. A refusal of the reader ends the work with that very error. */
async function answerRequest(
  worker: Worker,
  { reader, over }: { reader: RoomyReader; over: AbortController },
  { request, id }: { request: Request; id: number },
): Promise<void> {
  const reply: Reply = { id }
  if ('room' in request) await reader.takeRoom?.(request.room, over.signal)
  else reply.bytes = await readAll(reader, request.range, over.signal)
  if (over.signal.aborted) return
  worker.postMessage(reply, reply.bytes ? [reply.bytes.buffer as ArrayBuffer] : [])
}

/** A range of any length, piece by piece. */
async function readAll(
  reader: RangedReader,
  { offset, length }: RangeAsked,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const all = new Uint8Array(length)
  const starts = Array.from({ length: Math.ceil(length / MAX_READ_BYTES) }, (_, i) => i * MAX_READ_BYTES)
  const sizes = await Promise.all(
    starts.map(async (start) => {
      const piece = await reader.read(offset + start, Math.min(MAX_READ_BYTES, length - start), signal)
      all.set(piece, start)
      return piece.length
    }),
  )
  const filled = sizes.reduce((sum, size) => sum + size, 0)
  return filled === length ? all : all.slice(0, filled)
}

async function handOver(
  reader: RangedReader,
  { offset, length }: RangeAsked,
  shared: SharedArrayBuffer,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await reader.read(offset, length, signal)
  if (signal.aborted) return
  const head = new Int32Array(shared, 0, 2)
  new Uint8Array(shared, HEAD_BYTES).set(bytes.subarray(0, length))
  head[LENGTH] = Math.min(bytes.length, length)
  Atomics.store(head, STATE, FILLED)
  Atomics.notify(head, STATE)
}

function failureOf(error: Error & { code?: string }, { memoryMb }: Limits): FileFailure {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new FileFailure('resource_limit', `The file takes more than ${memoryMb} MiB of memory.`)
    : new FileFailure('crashed', error.message)
}
