import { MAX_RULES_BYTES } from './attributes.ts'
import type { Effort } from './effort.ts'
import { byteString } from './glob.ts'
import { compiler, type Rule, type Rules } from './rules.ts'

type Verdict = 'ignored' | 'kept'

const compile = compiler(parseRules)

/** The rules of one root `.gitignore` (gitignore(5)): the last match wins, and nothing inside an ignored folder comes back. */
export class Ignore {
  readonly #rules: Rules<Verdict>

  constructor(text: string) {
    this.#rules = compile(text.slice(0, MAX_RULES_BYTES))
  }

  /** Whether git would leave this file out. Throws `OutOfSteps`. */
  async ignores(path: string, effort: Effort): Promise<boolean> {
    if (this.#rules.isEmpty) return false
    const bytes = byteString(path)
    for (let at = bytes.indexOf('/'); at >= 0; at = bytes.indexOf('/', at + 1))
      if ((await this.#rules.find(bytes.slice(0, at), true, effort)) === 'ignored') return true
    return (await this.#rules.find(bytes, false, effort)) === 'ignored'
  }
}

function parseRules(text: string): Rule<Verdict>[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => parseRule(line))
}

/** Trailing blanks count only after a backslash (dir.c, trim_trailing_spaces). */
function withoutTrailingBlanks(line: string): string {
  let end = 0
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === ' ') continue
    end = at + 1
  }
  return line.slice(0, end)
}

function parseRule(line: string): Rule<Verdict>[] {
  if (line.startsWith('#')) return []
  let text = withoutTrailingBlanks(line)
  const isNegated = text.startsWith('!')
  if (isNegated) text = text.slice(1)
  const onlyFolders = text.endsWith('/')
  if (onlyFolders) text = text.slice(0, -1)
  if (text === '') return []
  return [
    {
      pattern: text.replace(/^\//, ''),
      isName: !text.includes('/'),
      onlyFolders,
      says: isNegated ? 'kept' : 'ignored',
    },
  ]
}
