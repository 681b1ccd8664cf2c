import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { Limiter } from '../../../../platform/flow/index.ts'
import { startProcess } from '../../../../platform/workers.ts'
import type {
  CompareResult,
  Query,
  QueryOrder,
  QueryReport,
  ScanState,
  SelectRow,
  SqlResult,
} from './messages.ts'

/** An interrupt is given so long before the process is killed (dataset-viewer.md §6: some functions never look). */
const GRACE_MS = 2000
const START_MS = 60_000

/** How a query ended. `isLate`: its time was over; `state` is how far it came until then. */
export interface QueryEnd {
  state?: ScanState
  rows?: SelectRow[][]
  sql?: SqlResult
  /** Rows that a copy has written. */
  written?: number
  compared?: CompareResult
  isLate: boolean
}

/** A query that the engine refused, or a process that ended under it. */
export class QueryFailure extends Error {
  /** What people are shown: the message without the folders of this machine. */
  readonly shown: string

  constructor(message: string, paths: readonly string[] = []) {
    super(message)
    this.shown = paths.reduce((text, path) => text.replaceAll(path, basename(path)), message)
  }
}

function pathsOf(order: QueryOrder): string[] {
  switch (order.work) {
    case 'sql':
      return [order.tempDir, ...order.tables.flatMap(({ paths }) => paths)]
    case 'compare':
      return [order.tempDir, ...order.base, ...order.head]
    default:
      return [order.tempDir, ...order.files.map(({ path }) => path)]
  }
}

/** Hears how far a copy is, 0 to 1. */
type OnCopied = (share: number) => void
const nothing: OnCopied = () => undefined

interface Idle {
  child: ChildProcess
  timer: NodeJS.Timeout
}

/**
 * Processes that run queries: by default two at once, and ten more may wait. They start when they are needed, end when they are not, and
 * are killed with the query that does not end in time or whose caller has gone.
 */
export class QueryProcesses {
  readonly #turns: Limiter
  readonly #idle: Idle[] = []
  readonly #idleMs: number

  constructor(limits = { atOnce: 2, maxWaiting: 10 }, { idleMs = 30_000 } = {}) {
    this.#turns = new Limiter(limits)
    this.#idleMs = idleMs
  }

  /** Problem `temporarily-unavailable` where too many wait. */
  async run(
    dataDir: string,
    query: Query,
    signal: AbortSignal,
    onCopied: OnCopied = nothing,
  ): Promise<QueryEnd> {
    const release = await this.#turns.take({ signal })
    try {
      return await this.#runNow(dataDir, query, signal, onCopied)
    } finally {
      release()
    }
  }

  /** Ids of the processes that wait for work; for tests. */
  get idle(): (number | undefined)[] {
    return this.#idle.map(({ child }) => child.pid)
  }

  async #runNow(dataDir: string, query: Query, signal: AbortSignal, onCopied: OnCopied): Promise<QueryEnd> {
    const child = this.#take() ?? (await start())
    const tempDir = join(dataDir, 'viewer', 'tmp', String(child.pid))
    let isSound = false
    try {
      await mkdir(tempDir, { recursive: true })
      const end = await talk(child, { ...query, tempDir }, signal, onCopied)
      isSound = child.connected && !end.isLate
      return end
    } finally {
      if (isSound) this.#keep(child)
      else child.kill('SIGKILL')
      await rm(tempDir, { recursive: true, force: true })
    }
  }

  #take(): ChildProcess | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (!idle.child.connected) continue
      idle.child.ref()
      idle.child.channel?.ref()
      return idle.child
    }
    return undefined
  }

  #keep(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    const timer = setTimeout(() => {
      const place = this.#idle.findIndex((idle) => idle.child === child)
      if (place >= 0) this.#idle.splice(place, 1)
      child.kill('SIGKILL')
    }, this.#idleMs).unref()
    this.#idle.push({ child, timer })
  }
}

async function start(): Promise<ChildProcess> {
  // Nothing of the environment is for it but where temporary files of the loader lie.
  const child = startProcess(new URL('./query.worker.ts', import.meta.url), [], {
    env: { NODE_OPTIONS: '--max-old-space-size=512', TMPDIR: process.env['TMPDIR'] ?? '/tmp' },
  })
  child.on('error', () => undefined)
  try {
    await once(child, 'message', { signal: AbortSignal.timeout(START_MS) })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return child
}

function talk(
  child: ChildProcess,
  order: QueryOrder,
  signal: AbortSignal,
  onCopied: OnCopied,
): Promise<QueryEnd> {
  const over = new AbortController()
  return new Promise<QueryEnd>((resolve, reject) => {
    let state: ScanState | undefined
    const end = (isLate: boolean) => resolve({ ...(state ? { state } : {}), isLate })
    const listen = <T extends unknown[]>(name: string, handle: (...values: T) => void) => {
      child.on(name, handle)
      over.signal.addEventListener('abort', () => child.off(name, handle))
    }
    const timer = setTimeout(() => end(true), order.deadlineMs + GRACE_MS)
    over.signal.addEventListener('abort', () => clearTimeout(timer))
    listen('message', (report: QueryReport) => {
      if (report === 'ready') return
      if ('failure' in report) {
        if (report.isLate) end(true)
        else reject(new QueryFailure(report.failure, pathsOf(order)))
      } else if ('done' in report) {
        resolve({
          isLate: false,
          ...(report.state ? { state: report.state } : {}),
          ...(report.rows ? { rows: report.rows } : {}),
          ...(report.sql ? { sql: report.sql } : {}),
          ...(report.written === undefined ? {} : { written: report.written }),
          ...(report.compared ? { compared: report.compared } : {}),
        })
      } else if ('copied' in report) onCopied(report.copied)
      else ({ state } = report)
    })
    listen('exit', (code: number | null, by: string | null) =>
      reject(new QueryFailure(`The query process ended (${by ?? code}).`)),
    )
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal })
    if (signal.aborted) reject(signal.reason as Error)
    child.send(order)
  }).finally(() => over.abort())
}
