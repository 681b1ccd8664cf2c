import type { Effort } from './effort.ts'
import { byteString, compileGlob, type Glob } from './glob.ts'

/** One line of rules: its pattern, and what it says. */
export interface Rule<T> {
  /** Without a slash in front. */
  pattern: string
  /** Without a slash in it a pattern is compared with the file's name alone. */
  isName: boolean
  onlyFolders?: boolean
  says: T
}

interface Numbered<T> {
  n: number
  says: T
}

interface Slow<T> extends Numbered<T> {
  glob: Glob
  isName: boolean
}

/** Rules for either files or folders, of which the last that matches counts. Plain ones are looked up, not tried. */
class Index<T> {
  readonly #names = new Map<string, Numbered<T>>()
  readonly #paths = new Map<string, Numbered<T>>()
  /** Length → ending → rule, of patterns such as `*.bin`. */
  readonly #endings = new Map<number, Map<string, Numbered<T>>>()
  readonly #slow: Slow<T>[] = []
  /** The byte each of these begins with; below 0 where it may be any. */
  readonly #firsts: number[] = []

  /** Rules come in their order, each with a higher number. */
  add(rule: Rule<T>, n: number): void {
    const pattern = byteString(rule.pattern)
    const glob = compileGlob(pattern)
    if (!glob) return
    const numbered = { n, says: rule.says }
    if (glob.literal !== undefined) (rule.isName ? this.#names : this.#paths).set(glob.literal, numbered)
    else if (rule.isName && /^\*[^*?[\\]+$/.test(pattern)) this.#addEnding(pattern.slice(1), numbered)
    else {
      this.#slow.push({ ...numbered, glob, isName: rule.isName })
      const [first = -1] = glob.elements
      this.#firsts.push(first)
    }
  }

  #addEnding(ending: string, rule: Numbered<T>): void {
    const endings = this.#endings.get(ending.length) ?? new Map<string, Numbered<T>>()
    this.#endings.set(ending.length, endings.set(ending, rule))
  }

  async find(path: string, effort: Effort): Promise<T | undefined> {
    const name = path.slice(path.lastIndexOf('/') + 1)
    let best: Numbered<T> | undefined
    const take = (rules: Map<string, Numbered<T>>, key: string) => {
      effort.spendOn(key)
      const found = rules.get(key)
      if (found && found.n > (best?.n ?? -1)) best = found
    }
    if (this.#names.size > 0) take(this.#names, name)
    if (this.#paths.size > 0) take(this.#paths, path)
    for (const [length, endings] of this.#endings)
      if (length <= name.length) take(endings, name.slice(name.length - length))
    effort.spend(this.#slow.length)
    const [ofName, ofPath] = [name.charCodeAt(0), path.charCodeAt(0)]
    for (let i = this.#slow.length - 1; i >= 0; i--) {
      const first = this.#firsts[i] ?? -1
      // Most are passed over without a look at the rule: it lies elsewhere in memory, which takes 0.3 µs.
      if (first >= 0 && first !== ofName && first !== ofPath) continue
      const rule = this.#slow[i]
      if (!rule || rule.n < (best?.n ?? -1)) break
      if (effort.matches(rule.glob, rule.isName ? name : path)) return rule.says
      // An `await` for each rule would cost more than the match.
      if (effort.isDue) await effort.turn.breathe()
    }
    return best?.says
  }
}

/** Lines of rules, of which the last that matches counts (gitignore(5)). */
export class Rules<T> {
  readonly isEmpty: boolean
  readonly #files = new Index<T>()
  readonly #folders = new Index<T>()

  constructor(rules: Rule<T>[]) {
    this.isEmpty = rules.length === 0
    for (const [n, rule] of rules.entries()) {
      if (!rule.onlyFolders) this.#files.add(rule, n)
      this.#folders.add(rule, n)
    }
  }

  /** What the last rule for this path says; the path is a `byteString`. Throws `OutOfSteps`. */
  find(path: string, isFolder: boolean, effort: Effort): Promise<T | undefined> {
    return (isFolder ? this.#folders : this.#files).find(path, effort)
  }
}

/** The texts whose rules are kept compiled: clients ask file by file, or in batches of 100. */
const MAX_KEPT = 8

/** Compiles the rules of a text, and keeps those of the last few. */
export function compiler<T>(parse: (text: string) => Rule<T>[]): (text: string) => Rules<T> {
  const kept = new Map<string, Rules<T>>()
  return (text) => {
    const rules = kept.get(text) ?? new Rules(parse(text))
    // Last in the map's order, which is that of use.
    kept.delete(text)
    kept.set(text, rules)
    for (const [oldest] of kept) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return rules
  }
}
