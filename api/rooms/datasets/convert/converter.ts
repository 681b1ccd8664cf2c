import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { startProcess } from '../../../platform/workers.ts'
import type {
  Footers,
  FootersTask,
  MadeTable,
  Preview,
  Report,
  Setup,
  TableTask,
  Task,
} from './child/messages.ts'

/** Why a split could not be converted, in the words of people; `code` is one of the viewer's error codes. */
export class ConversionFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The child died or fell silent: memory ran out, or a fault of ours or of a library. */
class ChildLost extends Error {}

const START_MS = 60_000
/** How long a child may be silent, which says something every 5 s, and how long a task may take. */
export interface TimeLimits {
  silenceMs: number
  taskMs: number
}

const timeLimits: TimeLimits = { silenceMs: 60_000, taskMs: 40 * 60_000 }
const HEAP_MB = 512
const DUCK_MB = 512
const GROUP_ROWS = 10_240
const FEW_ROWS = 2048

export interface Progress {
  /** First rows; may come again when a task is repeated. */
  preview?: (preview: Preview) => Promise<void>
  /** Part of the task that is done. */
  done?: (share: number) => void
}

/**
 * Runs tasks in a child process that has an empty environment and limits of memory. It starts when it is needed; the
 * signal ends it by SIGKILL. A task whose child dies is repeated once with less memory.
 */
export class Converter {
  readonly #folder: string
  readonly #signal: AbortSignal
  readonly #limits: TimeLimits
  #child: Promise<ChildProcess> | undefined

  constructor(folder: string, signal: AbortSignal, limits = timeLimits) {
    this.#folder = folder
    this.#signal = signal
    this.#limits = limits
  }

  /** Converts a split. Throws `ConversionFault`, or the reason of the signal. */
  async table(task: TableTask, progress: Progress): Promise<MadeTable> {
    const report = await this.#twice(task, progress)
    if (report.type !== 'table') throw new Error(`a table was answered by ${report.type}`)
    return report.table
  }

  /** Reads the ends of Parquet files. Throws `ConversionFault`, or the reason of the signal. */
  async footers(task: FootersTask): Promise<Footers> {
    const report = await this.#twice(task, {})
    if (report.type !== 'footers') throw new Error(`footers were answered by ${report.type}`)
    return report.footers
  }

  /** Ends the child. */
  async close(): Promise<void> {
    const child = await this.#child?.catch(() => undefined)
    this.#child = undefined
    child?.kill('SIGKILL')
  }

  async #twice(task: Task, progress: Progress): Promise<Report> {
    try {
      return await this.#run(task, progress, {
        folder: this.#folder,
        memoryMb: DUCK_MB,
        maxGroupRows: GROUP_ROWS,
      })
    } catch (error) {
      if (!(error instanceof ChildLost)) throw error
    }
    try {
      const setup = { folder: this.#folder, memoryMb: DUCK_MB / 2, maxGroupRows: FEW_ROWS }
      return await this.#run(task, progress, setup)
    } catch (error) {
      if (!(error instanceof ChildLost)) throw error
      throw new ConversionFault(
        'JobManagerCrashedError',
        'The conversion of these files ended twice without an answer, most likely for lack of memory. Split large files or cells into smaller ones.',
      )
    } finally {
      // The next task has all its memory again.
      await this.close()
    }
  }

  async #run(task: Task, progress: Progress, setup: Setup): Promise<Report> {
    this.#signal.throwIfAborted()
    const child = await (this.#child ??= start(setup))
    const over = new AbortController()
    try {
      return await this.#talk(child, task, progress, over)
    } catch (error) {
      await this.close()
      throw error
    } finally {
      over.abort()
    }
  }

  #talk(child: ChildProcess, task: Task, progress: Progress, over: AbortController): Promise<Report> {
    const { signal } = over
    const { silenceMs, taskMs } = this.#limits
    return new Promise<Report>((resolve, reject) => {
      let timer: NodeJS.Timeout
      const listen = () => {
        clearTimeout(timer)
        timer = setTimeout(() => reject(new ChildLost()), silenceMs)
      }
      const late = setTimeout(() => reject(tooLong(taskMs)), taskMs)
      const stop = () => reject(this.#signal.reason as Error)
      const lost = () => reject(new ChildLost())
      let previews = Promise.resolve()
      const hear = (report: Report) => {
        listen()
        if (report.type === 'preview') {
          previews = previews.then(() => progress.preview?.(report.preview))
          // The task may be over by then, and its answer may never come.
          previews.catch(reject)
        } else if (report.type === 'progress') progress.done?.(report.done)
        else if (report.type === 'failed') reject(new ConversionFault(report.code, report.message))
        else if (report.type !== 'alive' && report.type !== 'ready')
          previews.then(() => resolve(report), reject)
      }
      listen()
      child.on('message', hear)
      child.once('exit', lost)
      this.#signal.addEventListener('abort', stop)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        clearTimeout(late)
        child.off('message', hear)
        child.off('exit', lost)
        this.#signal.removeEventListener('abort', stop)
      })
      if (this.#signal.aborted) stop()
      else child.send(task, (error) => error && lost())
    })
  }
}

const tooLong = (taskMs: number) =>
  new ConversionFault(
    'JobManagerExceededMaximumDurationError',
    `The conversion of this split took more than ${taskMs / 60_000} minutes. Upload its data as Parquet, which is shown without conversion.`,
  )

async function start(setup: Setup): Promise<ChildProcess> {
  const entry = new URL('./child/convert.worker.ts', import.meta.url)
  const child = startProcess(entry, [JSON.stringify(setup)], { env: {}, heapMb: HEAP_MB })
  child.on('error', () => undefined)
  const early = once(child, 'exit').then(() => Promise.reject(new ChildLost()))
  await Promise.race([once(child, 'message', { signal: AbortSignal.timeout(START_MS) }), early]).catch(
    (error: unknown) => {
      child.kill('SIGKILL')
      throw error instanceof ChildLost ? error : new ChildLost()
    },
  )
  early.catch(() => undefined)
  return child
}
