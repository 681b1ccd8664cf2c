import { Problems, type FileProblem, type Severity } from '../parsers/index.ts'
import type { FileScanFacts, FoundImport, ScanStatus } from './facts.ts'
import { SCANNER_VERSION } from './facts.ts'
import { judged } from './verdicts/judge.ts'

/** Imports that are kept of a file: the worst. */
export const MAX_IMPORTS = 1000
/** A file with more distinct names is cut here; the verdict still follows from all. */
const MAX_KEPT = 20_000
/** Longest part of a module or name that is kept. */
const MAX_SHOWN = 200
const order = { dangerous: 0, suspicious: 1, innocuous: 2 }

/** Problems that mean code runs, whatever else is in the file. */
const unsafeCodes = new Set(['keras_lambda'])

/** The verdict on a file that imports these and has these problems. */
export function statusOf(
  imports: readonly Pick<FoundImport, 'safety'>[],
  problems: readonly Pick<FileProblem, 'code' | 'severity'>[],
): ScanStatus {
  const has = (safety: FoundImport['safety']) => imports.some((one) => one.safety === safety)
  if (has('dangerous') || problems.some(({ code }) => unsafeCodes.has(code))) return 'unsafe'
  const isFaulty = problems.some(({ severity }) => severity === 'error')
  return has('suspicious') || isFaulty ? 'suspicious' : 'safe'
}

/** The worst first. */
export const inOrder = (imports: readonly FoundImport[]): FoundImport[] =>
  imports.toSorted((a, b) => order[a.safety] - order[b.safety])

/** What has been found in one file, its members and what is nested in them. */
export class Findings {
  readonly #imports = new Map<string, FoundImport>()
  readonly #problems = new Problems()
  #worst: FoundImport['safety'] = 'innocuous'
  #hasError = false
  #isUnsafe = false
  isChecked = false

  import(module: string, name: string): void {
    const key = keyOf(module, name)
    const isCut = module.length > MAX_SHOWN || name.length > MAX_SHOWN
    if (this.#imports.has(key) && !isCut) return
    // The verdict is that of the whole name; what is shown of it may be shorter.
    const found = judged(module, name)
    this.#add(key, { ...found, module: module.slice(0, MAX_SHOWN), name: name.slice(0, MAX_SHOWN) })
  }

  #add(key: string, found: FoundImport): void {
    const known = this.#imports.get(key)
    if (known && order[known.safety] <= order[found.safety]) return
    if (known || this.#imports.size < MAX_KEPT || order[found.safety] < order[this.#worst])
      this.#imports.set(key, found)
    if (order[found.safety] < order[this.#worst]) this.#worst = found.safety
  }

  get hasDangerous(): boolean {
    return this.#worst === 'dangerous'
  }

  get importCount(): number {
    return this.#imports.size
  }

  problem(code: string, message: string, severity: Severity = 'error'): void {
    this.#problems.add(code, message, severity)
    if (severity === 'error') this.#hasError = true
    if (unsafeCodes.has(code)) this.#isUnsafe = true
  }

  /** Takes over all that was found in a part; `prefix` says which. */
  merge(part: Findings, prefix = ''): void {
    for (const [key, found] of part.#imports) this.#add(key, found)
    for (const { code, message, severity } of part.#problems.list())
      this.problem(code, prefix === '' ? message : `${prefix}: ${message}`, severity)
    this.isChecked ||= part.isChecked
  }

  facts(readBytes: number): FileScanFacts {
    const imports = inOrder([...this.#imports.values()]).slice(0, MAX_IMPORTS)
    const isUnsafe = this.#isUnsafe || this.#worst === 'dangerous'
    const isSuspicious = this.#worst === 'suspicious' || this.#hasError
    return {
      status: isUnsafe ? 'unsafe' : isSuspicious ? 'suspicious' : 'safe',
      scanner: `arsenal-scan/${SCANNER_VERSION}`,
      isChecked: this.isChecked,
      imports,
      problems: this.#problems.list(),
      readBytes,
    }
  }
}

const keyOf = (module: string, name: string): string =>
  `${module.slice(0, MAX_SHOWN)} ${name.slice(0, MAX_SHOWN)}`
