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
  #writtenAt = performance.now()

  private constructor(file: string, state: State) {
    this.#file = file
    this.#state = state
  }

  /** That of the last run where it is to go on and looked for the same; a new one else. */
  static open(
    dataDir: string,
    { deep, repair }: { deep: boolean; repair: boolean },
    isResumed: boolean,
  ): FsckLog {
    const file = join(dataDir, 'fsck.json')
    const kept = isResumed ? read(file) : undefined
    const isSame = kept?.deep === deep && kept.repair === repair
    return new FsckLog(file, isSame ? kept : { deep, repair, errors: 0, done: [], at: null })
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
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#state), { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
    this.#writtenAt = performance.now()
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
