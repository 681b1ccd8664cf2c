/** `error`: the file is damaged or made to deceive; `warning`: readers differ on it; `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** Something wrong with a file, as it is stored and shown. */
export interface FileProblem {
  code: string
  message: string
  severity: Severity
}

const MAX_PROBLEMS = 200
const MAX_MESSAGE = 300

/** The problems of one file, each once, and no more than 200. */
export class Problems {
  readonly #found = new Map<string, FileProblem>()

  add(code: string, message: string, severity: Severity = 'error'): void {
    const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
    const key = `${code} ${text}`
    if (this.#found.size < MAX_PROBLEMS || !this.has(code))
      this.#found.set(key, { code, message: text, severity })
  }

  has(code: string): boolean {
    return [...this.#found.values()].some((problem) => problem.code === code)
  }

  list(): FileProblem[] {
    return [...this.#found.values()]
  }
}

/** A fault that ends the reading of a file; what was found before it stays. */
export class FormatFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
