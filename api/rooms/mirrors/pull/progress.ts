import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import type { RunningJob } from '../../../core/jobs/index.ts'
import { markPulling } from '../../../core/lfs/index.ts'
import type { PullFileStatus } from '../../../../shared/vocabulary.ts'
import { inBatches, type Tx } from '../../../stores/db/index.ts'

/** A large file on the list of a pull. */
export interface PulledFile {
  path: string
  sha256: string
  sizeBytes: number
}

const WRITE_EVERY_MS = 1_000
/** How long bytes count as on their way after the last word of it. */
const PULLING_MS = 120_000

interface State {
  done: number
  status: PullFileStatus
  error?: string
}

/** What of its job a pull tells by. */
export type PullingJob = Pick<RunningJob, 'id' | 'write' | 'progress' | 'log'>

/** What a pull says of itself while it runs: each file, the sum, why it waits. Written once a second at most. */
export class PullProgress {
  readonly #ctx: Ctx
  readonly #job: PullingJob
  readonly #repoId: string
  readonly #files: ReadonlyMap<string, PulledFile>
  readonly #states = new Map<string, State>()
  readonly #changed = new Set<string>()
  readonly #total: number
  #note: string | null = null
  #isNoteNew = false
  #writtenAt = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(ctx: Ctx, job: PullingJob, repoId: string, files: readonly PulledFile[]) {
    this.#ctx = ctx
    this.#job = job
    this.#repoId = repoId
    this.#files = new Map(files.map((file) => [file.path, file]))
    this.#total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }

  /** Puts the files on the list, and notes that their bytes are on their way. */
  async begin(): Promise<void> {
    const { id } = this.#job
    await this.#job.write(async (tx) => {
      const { pull_files: f } = tx.t
      await tx.q.delete(f).where(eq(f.job_id, id))
      const rows = [...this.#files.values()].map(({ path, sha256, sizeBytes }) => ({
        job_id: id,
        path,
        sha256,
        size: sizeBytes,
        done: 0,
        status: 'queued' as const,
        error: null,
      }))
      await inBatches(rows, async (some) => {
        await tx.q.insert(f).values(some)
        return []
      })
      await this.#markPulling(tx)
    })
  }

  set(path: string, state: State): void {
    this.#states.set(path, state)
    this.#changed.add(path)
    this.#writeSoon()
  }

  /** Why nothing moves, such as `Waiting for 01:00 (UTC)`; `null` while it does. */
  waits(note: string | null): void {
    if (this.#note === note) return
    this.#note = note
    this.#isNoteNew = true
    if (note !== null) this.#job.log(note)
    this.#writeSoon()
  }

  /** Writes what is left to say. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  /** What changes within a second of the last write is written then, also where nothing follows it. */
  #writeSoon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#writtenAt = Date.now()
        // A job that has lost its lease learns that where it waits.
        this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined)
      },
      Math.max(0, this.#writtenAt + WRITE_EVERY_MS - Date.now()),
    )
  }

  async #write(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed.clear()
    const done = [...this.#states.values()].reduce((sum, state) => sum + state.done, 0)
    await this.#job.write(async (tx) => {
      const { pull_files: f, pulls: p } = tx.t
      for (const path of changed) {
        const { error = null, ...state } = this.#states.get(path) ?? { done: 0, status: 'queued' as const }
        await tx.q
          .update(f)
          .set({ ...state, error })
          .where(and(eq(f.job_id, this.#job.id), eq(f.path, path)))
      }
      if (this.#isNoteNew) await tx.q.update(p).set({ note: this.#note }).where(eq(p.job_id, this.#job.id))
      this.#isNoteNew = false
      await this.#markPulling(tx)
    })
    await this.#job.progress(done, this.#total)
  }

  async #markPulling(tx: Tx): Promise<void> {
    const isOpen = ({ path }: PulledFile) =>
      ['queued', 'transferring', 'verifying'].includes(this.#states.get(path)?.status ?? 'queued')
    const shas = [...this.#files.values()].filter(isOpen).map(({ sha256 }) => sha256)
    await markPulling(tx, this.#repoId, shas, new Date(this.#ctx.now().getTime() + PULLING_MS))
  }
}
