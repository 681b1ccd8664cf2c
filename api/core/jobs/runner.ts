import { setTimeout as pause } from 'node:timers/promises'
import { hostname } from 'node:os'
import type { Deps } from '../ctx.ts'
import { newId } from '../../stores/db/index.ts'
import { count } from '../../platform/telemetry/index.ts'
import { tellEnd, type JobEnded } from './ended.ts'
import { Execution } from './execution.ts'
import type { JobKind } from './kind.ts'
import { linesOf } from './log/lines.ts'
import { LAPSED, outcomeLine } from './log/outcome-lines.ts'
import { counted, writeLines } from './log/write.ts'
import { afterLapse, ended, released } from './outcome.ts'
import {
  anyDue,
  claimOne,
  databaseClock,
  lapsedJobs,
  lockLapsed,
  readAttempts,
  setHeld,
  type QueueClock,
} from './queries.ts'
import { fireSchedules, settleSchedules, type Schedule } from './schedules.ts'
import { onWake, wake } from './wake.ts'

export interface RunnerOptions {
  kinds: readonly JobKind[]
  schedules?: Schedule[]
  /** How often an idle runner looks at the queue. */
  pollMs?: number
  /** How long a run may take to obey a cancel before the job is taken from it. */
  cancelGraceMs?: number
  /** The time leases are measured by; the database's unless given. */
  clock?: QueueClock
  ended?: JobEnded
}

// A cancel is noticed within a poll and enforced after the grace: together within the 5 s of native-api.md §4.
const defaults = { pollMs: 1000, cancelGraceMs: 3000 }

/** The workers of one process: claims jobs, keeps their leases, enforces cancels and fires schedules. */
export class JobRunner {
  #deps: Deps
  #options: RunnerOptions & typeof defaults
  #clock: QueueClock
  #kinds: Map<string, JobKind>
  #worker = `${hostname()}/${process.pid}/${newId()}`
  #running = new Set<Execution>()
  #renewedAt = Number.NEGATIVE_INFINITY
  #sweptAt = Number.NEGATIVE_INFINITY
  #isWoken = false
  #endPause: () => void = () => undefined
  #isStopping = false
  #loop: Promise<void> | undefined
  #forget: () => void = () => undefined

  constructor(deps: Deps, options: RunnerOptions) {
    this.#deps = deps
    this.#options = { ...defaults, ...options }
    this.#clock = options.clock ?? databaseClock(deps.db, deps.now)
    this.#kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
  }

  /** Begins to work; `stop` ends it. */
  async start(): Promise<void> {
    await settleSchedules(this.#deps, this.#options.schedules ?? [], await this.#clock(this.#deps.db.q))
    this.#forget = onWake(this.#deps.db, () => {
      this.#isWoken = true
      this.#endPause()
    })
    this.#loop = this.#work()
  }

  /** Interrupts every run, waits up to `graceMs` for them, and gives all jobs back to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    this.#forget()
    this.#endPause()
    await this.#loop
    for (const execution of this.#running) execution.interrupt('stopping')
    const deadline = performance.now() + graceMs
    while (this.#running.size > 0 && performance.now() < deadline) await pause(Math.min(20, graceMs))
    for (const execution of this.#running) await execution.finish((now) => released(execution.job, now))
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false
      try {
        await this.#turn()
      } catch (error) {
        this.#deps.log.error({ err: error }, 'the job queue could not be worked on')
      }
      if (!this.#isStopping) await this.#rest()
    }
  }

  /** Until it is woken, or time to look. A wake-up during a turn may have come after the turn's own look. */
  async #rest(): Promise<void> {
    if (this.#isWoken) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.pollMs)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #turn(): Promise<void> {
    const now = await this.#clock(this.#deps.db.q)
    await this.#renew(now)
    await this.#obey()
    if (performance.now() - this.#sweptAt >= this.#options.pollMs) {
      this.#sweptAt = performance.now()
      await this.#requeueLapsed(now)
      await fireSchedules(this.#deps, this.#options.schedules ?? [], now)
    }
    await this.#claim(now)
  }

  async #renew(now: Date): Promise<void> {
    const { db, config } = this.#deps
    if (this.#running.size === 0 || performance.now() - this.#renewedAt < config.jobs.lease / 3) return
    this.#renewedAt = performance.now()
    const lease_until = new Date(now.getTime() + config.jobs.lease)
    for (const execution of this.#running)
      if (!(await db.write((tx) => setHeld(tx, execution, { lease_until }))))
        execution.interrupt('lease-lost')
  }

  async #obey(): Promise<void> {
    if (this.#running.size === 0) return
    const { db } = this.#deps
    const rows = await readAttempts(
      db,
      [...this.#running].map(({ id }) => id),
    )
    for (const execution of this.#running) {
      const row = rows.find(({ id, attempt }) => id === execution.id && attempt === execution.attempt)
      if (row?.status !== 'running') execution.interrupt('lease-lost')
      else if (row.cancelRequested) {
        execution.interrupt('cancelled')
        const waitedMs = performance.now() - (execution.interruptedAt ?? 0)
        if (waitedMs > this.#options.cancelGraceMs) await execution.finish((at) => ended('cancelled', at))
      }
    }
  }

  async #requeueLapsed(now: Date): Promise<void> {
    const { db, log } = this.#deps
    for (const job of await lapsedJobs(db, now)) {
      log.warn({ job: job.id, kind: job.kind, worker: job.worker }, 'a job lost its lease')
      count('arsenal.jobs.lease_lost', {})
      await db.write(async (tx) => {
        // A cancel may have come since it was listed.
        const present = await lockLapsed(tx, job, now)
        if (!present) return
        const change = afterLapse(present, now)
        const lines = linesOf(present, [LAPSED, ...outcomeLine(present, change, now)], now)
        await setHeld(tx, present, { ...change, ...counted(lines) })
        await writeLines(tx, present.id, lines)
        await tellEnd(tx, this.#deps, this.#options.ended, present, change)
      })
    }
  }

  async #claim(now: Date): Promise<void> {
    const { db, config } = this.#deps
    const wanted = { engine: db.engine, worker: this.#worker, now, leaseMs: config.jobs.lease }
    while (this.#running.size < config.jobs.workers && !this.#isStopping) {
      const kinds = this.#openKinds()
      if (!(await anyDue(db, kinds, now))) return
      const job = await db.write((tx) => claimOne(tx, { ...wanted, kinds }))
      const kind = job && this.#kinds.get(job.kind)
      if (job && kind) this.#begin(new Execution(this.#deps, kind, job, this.#clock, this.#options.ended))
    }
  }

  /** Those that have not taken all of the workers they may have. */
  #openKinds(): JobKind[] {
    const busy = (kind: string) => [...this.#running].filter(({ job }) => job.kind === kind).length
    const { config } = this.#deps
    const most = ({ share = 1, atOnce }: JobKind) =>
      atOnce ? atOnce(config) : Math.max(1, Math.floor(share * config.jobs.workers))
    return [...this.#kinds.values()].filter((kind) => busy(kind.kind) < most(kind))
  }

  #begin(execution: Execution): void {
    this.#running.add(execution)
    void execution.run().then(() => {
      this.#running.delete(execution)
      wake(this.#deps.db)
    })
  }
}
