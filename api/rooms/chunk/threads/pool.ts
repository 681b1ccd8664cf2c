import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { Problem } from '../../../platform/problems/index.ts'
import { startThread } from '../../../platform/workers.ts'
import { fromFailure, moved, type Asked, type Order, type Report, type Tasks } from './messages.ts'

interface Running {
  asked: Asked
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** One thread; it works on several tasks in turn, each while the others wait for bytes. */
class Thread {
  readonly #running = new Map<number, Running>()
  readonly #worker: Worker
  #lastId = 0

  constructor(onDeath: (thread: Thread) => void) {
    this.#worker = startThread(new URL('./chunk.worker.ts', import.meta.url))
    this.#worker.unref()
    this.#worker.on('message', (report: Report) => this.#hear(report))
    const died = (cause: unknown) => {
      onDeath(this)
      const error = new Problem('temporarily-unavailable', { retryAfterS: 1, cause })
      for (const id of this.#running.keys()) this.#end(id)?.reject(error)
    }
    this.#worker.once('error', died)
    this.#worker.once('exit', died)
  }

  get load(): number {
    return this.#running.size
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  run(begin: keyof Tasks, input: unknown, asked: Asked, signal: AbortSignal | undefined): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise<unknown>((resolve, reject) => {
      const gone = () => this.#fail(id, signal?.reason)
      const settled = (act: (value: unknown) => void) => (value: unknown) => {
        signal?.removeEventListener('abort', gone)
        act(value)
      }
      if (this.#running.size === 0) this.#worker.ref()
      this.#running.set(id, { asked, resolve: settled(resolve), reject: settled(reject) })
      signal?.addEventListener('abort', gone)
      this.#send({ id, begin, input })
      if (signal?.aborted) gone()
    })
  }

  #send(order: Order, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(order, transfer)
  }

  #hear(report: Report): void {
    if ('failure' in report) this.#end(report.id)?.reject(fromFailure(report.failure))
    else if ('ask' in report) void this.#answer(report)
    else this.#end(report.id)?.resolve(report.answer)
  }

  async #answer({ id, question, ask, argument }: Extract<Report, { ask: string }>): Promise<void> {
    try {
      const answer = await this.#running.get(id)?.asked[ask]?.(argument as never)
      if (this.#running.has(id)) this.#send({ id, question, answer }, moved(answer))
    } catch (error) {
      this.#fail(id, error)
    }
  }

  #fail(id: number, error: unknown): void {
    const task = this.#end(id)
    if (!task) return
    this.#send({ id, isOver: true })
    task.reject(error)
  }

  #end(id: number): Running | undefined {
    const task = this.#running.get(id)
    this.#running.delete(id)
    if (this.#running.size === 0) this.#worker.unref()
    return task
  }
}

const threads: Thread[] = []

/** The least busy thread; one is started while all are busy and there are fewer than cores but one. */
function freeThread(): Thread {
  const [least] = threads.toSorted((a, b) => a.load - b.load)
  if (least && (least.load === 0 || threads.length >= Math.max(1, availableParallelism() - 1))) return least
  const thread = new Thread((dead) => {
    // A thread that fails is reported twice: by its error and by its end.
    if (threads.includes(dead)) threads.splice(threads.indexOf(dead), 1)
  })
  threads.push(thread)
  return thread
}

/** How many tasks all threads have now. */
export const tasksUnderWay = (): number => threads.reduce((sum, { load }) => sum + load, 0)

/** Ends every thread; what they work on fails with `temporarily-unavailable`, and the next task gets a new one. */
export async function endThreads(): Promise<void> {
  await Promise.all(threads.map((thread) => thread.end()))
}

/**
 * Runs a task off the event loop and answers its questions with `asked`. Rejects with a FormatError of the bytes, with
 * whatever an answer throws, with the signal's reason, and with `temporarily-unavailable` when the thread dies.
 */
export function runTask<T extends keyof Tasks>(
  task: T,
  input: Tasks[T]['input'],
  asked: Asked,
  signal?: AbortSignal,
): Promise<Tasks[T]['answer']> {
  return freeThread().run(task, input, asked, signal) as Promise<Tasks[T]['answer']>
}
