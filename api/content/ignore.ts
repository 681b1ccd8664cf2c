import { MAX_RULES_BYTES } from './attributes.ts'
import { matchSegment, matchSegments } from './glob.ts'

interface IgnoreRule {
  pattern: string[]
  isName: boolean
  isNegated: boolean
  onlyFolders: boolean
}

/** The rules of one root `.gitignore` (gitignore(5)): the last match wins, and nothing inside an ignored folder comes back. */
export class Ignore {
  readonly #rules: IgnoreRule[]

  constructor(text: string) {
    this.#rules = text
      .slice(0, MAX_RULES_BYTES)
      .split(/\r?\n/)
      .flatMap((line) => parseRule(line))
  }

  /** Whether git would leave this file out. */
  ignores(path: string): boolean {
    const segments = path.split('/')
    return segments.some((_, i) => this.#isIgnored(segments.slice(0, i + 1), i < segments.length - 1))
  }

  #isIgnored(path: string[], isFolder: boolean): boolean {
    const name = path.at(-1) ?? ''
    const rule = this.#rules.findLast(
      (r) =>
        (isFolder || !r.onlyFolders) &&
        (r.isName ? matchSegment(r.pattern[0] ?? '', name) : matchSegments(r.pattern, path)),
    )
    return rule !== undefined && !rule.isNegated
  }
}

/** Trailing blanks count only after a backslash. An expression would take the square of a run of blanks. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  return line.slice(0, line[end - 1] === '\\' ? end + 1 : end)
}

function parseRule(line: string): IgnoreRule[] {
  let text = withoutTrailingBlanks(line)
  if (text === '' || text.startsWith('#')) return []
  const isNegated = text.startsWith('!')
  if (isNegated) text = text.slice(1)
  const onlyFolders = text.endsWith('/')
  if (onlyFolders) text = text.slice(0, -1)
  if (text === '' || text === '/') return []
  return [
    { pattern: text.replace(/^\//, '').split('/'), isName: !text.includes('/'), isNegated, onlyFolders },
  ]
}
