import { jobLog } from '../../../../shared/vocabulary.ts'
import { linesOf, type LogLine } from './lines.ts'

const WRITE_EVERY_MS = 1000

interface Writing {
  now: () => Date
  /** Writes lines while the attempt holds the job; rejects otherwise. */
  write: (lines: readonly LogLine[]) => Promise<void>
}

/**
 * The lines that one attempt says, numbered on from those of earlier ones. They are written together, once a second; of very
 * many in one second the first and the newest stay, as in the table.
 */
export class AttemptLog {
  readonly #attempt: number
  readonly #options: Writing
  #last: number
  #lines: LogLine[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor({ attempt, log_lines: last }: { attempt: number; log_lines: number }, options: Writing) {
    this.#attempt = attempt
    this.#last = last
    this.#options = options
  }

  say(text: string): void {
    if (this.#isClosed) return
    this.#lines.push(...this.#next([text]))
    this.#last++
    if (this.#lines.length > jobLog.maxLines) this.#lines.splice(jobLog.first, 1)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write()
    }, WRITE_EVERY_MS)
  }

  /** Writes nothing by itself any more, and takes no more lines. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#writing
  }

  /** What is left to write, and lines to end with. May be asked for again, by a transaction that is repeated. */
  endingWith(texts: readonly string[]): LogLine[] {
    return [...this.#lines, ...this.#next(texts)]
  }

  async #write(): Promise<void> {
    const lines = this.#lines.splice(0)
    try {
      await this.#options.write(lines)
    } catch {
      // Written with the next ones, or not at all by an attempt that has lost the job.
      this.#lines.unshift(...lines)
    }
  }

  #next(texts: readonly string[]): LogLine[] {
    return linesOf({ attempt: this.#attempt, log_lines: this.#last }, texts, this.#options.now())
  }
}
