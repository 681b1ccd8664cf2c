import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A run that dies has at most this much to look at again. */
const WRITE_EVERY_MS = 2000

interface State {
  deep: boolean
  repair: boolean
  errors: number
  done: string[]
  /** The check under way and the last id that it has looked at. */
  at: { check: string; after: string } | null
}

/** How far `arsenal fsck` has come, in a file of the data folder, so that `--resume` goes on there. */
export class FsckLog {
  readonly #file: string
  readonly #state: State
  readonly #warn: (text: string) => void
  #writtenAt = performance.now()
  #isWritable = true

  private constructor(file: string, state: State, warn: (text: string) => void) {
    this.#file = file
    this.#state = state
    this.#warn = warn
  }

  /**
   * The log of the last run if this one resumes it and checks the same; else a new one.
   * `warn` is called once if the log cannot be written.
   */
  static open(
    dataDir: string,
    { deep, repair }: { deep: boolean; repair: boolean },
    { isResumed, warn }: { isResumed: boolean; warn: (text: string) => void },
  ): FsckLog {
    const file = join(dataDir, 'fsck.json')
    const kept = isResumed ? read(file) : undefined
    const isSame = kept?.deep === deep && kept.repair === repair
    return new FsckLog(file, isSame ? kept : { deep, repair, errors: 0, done: [], at: null }, warn)
  }

  /** Found by the runs before. */
  get errors(): number {
    return this.#state.errors
  }

  isDone(check: string): boolean {
    return this.#state.done.includes(check)
  }

  resumeOf(check: string): { after: string; note(id: string): void } {
    const after = this.#state.at?.check === check ? this.#state.at.after : ''
    return { after, note: (id) => this.#note(check, id) }
  }

  countError(): void {
    this.#state.errors++
  }

  done(check: string): void {
    this.#state.done.push(check)
    this.#state.at = null
    this.#write()
  }

  /** Nothing is left to go on with. */
  remove(): void {
    rmSync(this.#file, { force: true })
  }

  #note(check: string, after: string): void {
    this.#state.at = { check, after }
    if (performance.now() - this.#writtenAt > WRITE_EVERY_MS) this.#write()
  }

  #write(): void {
    if (!this.#isWritable) return
    this.#writtenAt = performance.now()
    const draft = `${this.#file}.new`
    try {
      mkdirSync(dirname(this.#file), { recursive: true })
      writeFileSync(draft, JSON.stringify(this.#state), { mode: 0o600 })
      renameSync(draft, this.#file)
    } catch (error) {
      // A full or read-only disk is when a check is needed most: it goes on without its log.
      this.#isWritable = false
      rmSync(draft, { force: true, recursive: true })
      const reason = error instanceof Error ? error.message : String(error)
      this.#warn(`The progress of this check cannot be saved, so --resume would start over: ${reason}\n`)
    }
  }
}

function read(file: string): State | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as State
  } catch {
    // None was interrupted, or its file is no use.
    return undefined
  }
}
