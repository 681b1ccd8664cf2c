import { eq } from 'drizzle-orm'
import { system } from '../access/index.ts'
import type { Ctx, Deps } from '../ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { tellEnd, type JobEnded } from './ended.ts'
import { Interruption } from './failure.ts'
import type { JobKind, RunningJob } from './kind.ts'
import { AttemptLog } from './log/attempt-log.ts'
import type { LogLine } from './log/lines.ts'
import { outcomeLine, startLine, STOPPING } from './log/outcome-lines.ts'
import { counted, writeLines } from './log/write.ts'
import { afterFailure, ended } from './outcome.ts'
import { setHeld, type JobRow, type QueueClock } from './queries.ts'

const progressEveryMs = 1000

/** One attempt of a claimed job in this process. */
export class Execution implements RunningJob {
  readonly id: string
  readonly attempt: number
  readonly signal: AbortSignal
  readonly job: JobRow
  /** `performance.now()` of the interruption. */
  interruptedAt: number | undefined
  isSettled = false
  #deps: Deps
  #kind: JobKind
  #clock: QueueClock
  #ended: JobEnded | undefined
  #abort = new AbortController()
  #progress: Pick<JobRow, 'progress_done' | 'progress_total'> = { progress_done: 0, progress_total: null }
  /** Most jobs are over before their first progress would be worth a transaction. */
  #writtenAt: number
  #log: AttemptLog
  #failure: unknown

  constructor(deps: Deps, kind: JobKind, job: JobRow, clock: QueueClock, ended?: JobEnded) {
    this.id = job.id
    this.attempt = job.attempt
    this.job = job
    this.signal = this.#abort.signal
    this.#deps = deps
    this.#kind = kind
    this.#clock = clock
    this.#ended = ended
    this.#writtenAt = deps.now().getTime()
    this.#log = new AttemptLog(job, { now: deps.now, write: (lines) => this.#set({}, lines) })
  }

  /** Tells the run to stop; the first reason stands. */
  interrupt(why: Interruption['why']): Interruption {
    const interruption = new Interruption(why)
    if (!this.signal.aborted) this.interruptedAt = performance.now()
    this.#abort.abort(interruption)
    return interruption
  }

  async progress(done: number, total?: number): Promise<void> {
    this.signal.throwIfAborted()
    this.#progress = {
      progress_done: Math.floor(done),
      progress_total: total === undefined ? null : Math.floor(total),
    }
    const now = this.#deps.now().getTime()
    if (now - this.#writtenAt < progressEveryMs) return
    this.#writtenAt = now
    await this.#set({})
  }

  log(text: string): void {
    this.#log.say(text)
  }

  async write<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#deps.db.write(async (tx) => {
      if (!(await setHeld(tx, this, this.#progress))) throw this.interrupt('lease-lost')
      return change(tx)
    })
  }

  async workOn(repoId: string): Promise<void> {
    await this.#set({ repo_id: repoId })
    this.job.repo_id = repoId
  }

  async admitEqual(): Promise<void> {
    await this.#set({ active_key: null })
  }

  async #set(change: Partial<JobRow>, lines: readonly LogLine[] = []): Promise<void> {
    await this.#deps.db.write(async (tx) => {
      if (!(await setHeld(tx, this, { ...this.#progress, ...counted(lines), ...change })))
        throw this.interrupt('lease-lost')
      await writeLines(tx, this.id, lines)
    })
  }

  /** Runs the job to its end and records that; never rejects, since a lost record only makes the lease lapse. */
  async run(): Promise<void> {
    const { log, telemetry } = this.#deps
    const { kind } = this.#kind
    const span = telemetry.begin({
      name: `job.${kind}`,
      subject: this.id,
      parent: this.job.traceparent ?? undefined,
    })
    this.log(startLine(this.job))
    try {
      await span.within(async () => this.finish(await this.#attemptRun()))
    } catch (error) {
      log.error({ err: error, job: this.id, kind }, 'the end of a job could not be recorded')
    } finally {
      span.end(this.#failure)
      this.isSettled = true
    }
  }

  async #attemptRun(): Promise<(now: Date) => Partial<JobRow> | undefined> {
    const { log } = this.#deps
    try {
      const result = await this.#kind.run(this.#context(), this.#kind.input.parse(this.job.input), this)
      return (now) => ended('succeeded', now, { result: result ?? null, problem: null })
    } catch (error) {
      this.#failure = error
      if (!this.signal.aborted)
        log.warn({ err: error, job: this.id, kind: this.#kind.kind, attempt: this.attempt }, 'a job failed')
      return (now) => afterFailure(this.job, error, this.signal, now)
    }
  }

  /** Records the end of the attempt; also of one whose run goes on, from which the job is taken. */
  async finish(outcome: (now: Date) => Partial<JobRow> | undefined): Promise<void> {
    await this.#log.close()
    await this.#deps.db.write(async (tx) => {
      const now = await this.#clock(tx.q)
      const change = outcome(now)
      if (!change) return
      // A cancel that came while the run failed by itself must not be forgotten by another attempt.
      const isCancelled = change.status === 'queued' && (await this.#isCancelled(tx))
      const settled = isCancelled ? ended('cancelled', now) : change
      const lines = this.#log.endingWith(this.#lastLines(settled, now))
      if (!(await setHeld(tx, this, { ...this.#progress, ...counted(lines), ...settled }))) return
      await writeLines(tx, this.id, lines)
      await tellEnd(tx, this.#deps, this.#ended, this.job, settled)
    })
  }

  #lastLines(change: Partial<JobRow>, now: Date): string[] {
    const reason: unknown = this.signal.reason
    const isStopping = reason instanceof Interruption && reason.why === 'stopping'
    const why = isStopping && change.status === 'queued' ? [STOPPING] : []
    return [...why, ...outcomeLine(this.job, change, now)]
  }

  /** Locks the job first, so that no cancel comes after the answer. */
  async #isCancelled(tx: Tx): Promise<boolean> {
    await setHeld(tx, this, this.#progress)
    const { jobs } = tx.t
    const [row] = await tx.q.select({ cancel: jobs.cancel_requested }).from(jobs).where(eq(jobs.id, this.id))
    return row?.cancel ?? false
  }

  #context(): Ctx {
    const origin = {
      requestId: this.id,
      ip: '',
      userAgent: `job/${this.#kind.kind}`,
      baseUrl: this.#deps.config.server.public_url,
    }
    return { ...this.#deps, actor: system, origin, signal: this.signal }
  }
}
