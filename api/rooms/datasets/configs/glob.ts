/*
 * Patterns of data files as fsspec 2023.12 and later match them: `*` and `?` within one name, `**` as a whole name for any
 * number of folders, `[…]` for one character (docs/protocols/datasets.md §2).
 */

/** Whether a pattern is more than a path. */
export const hasMagic = (pattern: string): boolean => /[*?[]/.test(pattern)

/** A pattern that the library refuses. */
export class PatternFault extends Error {}

/** Longer ones are not data of people; the expression of one is as long as the pattern. */
const MAX_PATTERN = 1024

/** What a pattern matches, as an expression over whole paths. Throws `PatternFault`. */
export function matcherOf(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN)
    throw new PatternFault(`A pattern may have at most ${MAX_PATTERN} characters.`)
  const parts = pattern.split('/')
  for (const part of parts)
    if (part.includes('**') && part !== '**')
      throw new PatternFault(`In the pattern "${pattern}", ** must stand alone between two /.`)
  const compiled = parts.map((part) => (part === '**' ? part : partMatcher(part)))
  return (path) => matches(compiled, path.split('/'))
}

type PartMatcher = '**' | ((name: string) => boolean)

/** Each `**` tries every depth; what was tried before is remembered, so that the work stays a product of both lengths. */
function matches(parts: readonly PartMatcher[], names: readonly string[]): boolean {
  const failed = new Set<number>()
  const from = (i: number, j: number): boolean => {
    const part = parts[i]
    if (part === undefined) return j === names.length
    const key = i * (names.length + 1) + j
    if (failed.has(key)) return false
    const isFound =
      part === '**' ? anyDepth(i, j) : j < names.length && part(names[j] ?? '') && from(i + 1, j + 1)
    if (!isFound) failed.add(key)
    return isFound
  }
  const anyDepth = (i: number, j: number): boolean => {
    // The last `**` takes all that is left, which is at least one name.
    if (i === parts.length - 1) return j < names.length
    for (let k = j; k < names.length; k++) if (from(i + 1, k)) return true
    return false
  }
  return from(0, 0)
}

/** One name: pieces between stars, found from left to right, so that no pattern takes more than its length times the name's. */
function partMatcher(part: string): (name: string) => boolean {
  const pieces = part.split(/(\[!?\]?[^\]]*\]|\*+)/)
  let tokens: Token[] = []
  const runs: Token[][] = [tokens]
  for (const piece of pieces) {
    if (/^\*+$/.test(piece)) {
      tokens = []
      runs.push(tokens)
    } else if (piece.startsWith('[') && piece.endsWith(']') && piece.length > 2) tokens.push(classOf(piece))
    else for (const character of piece) tokens.push(character === '?' ? () => true : (c) => c === character)
  }
  return (name) => matchesRuns(runs, [...name])
}

type Token = (character: string) => boolean

function classOf(piece: string): Token {
  const inner = piece.slice(1, -1)
  const isNegated = inner.startsWith('!')
  const set = [...(isNegated ? inner.slice(1) : inner)]
  const ranges: [string, string][] = []
  for (let i = 0; i < set.length; i++) {
    const [start = '', dash, end] = set.slice(i, i + 3)
    if (dash === '-' && end !== undefined) {
      ranges.push([start, end])
      i += 2
    } else ranges.push([start, start])
  }
  return (c) => ranges.some(([start, end]) => start <= c && c <= end) !== isNegated
}

function matchesRuns(runs: readonly Token[][], name: readonly string[]): boolean {
  const fits = (run: readonly Token[], at: number) =>
    at + run.length <= name.length && run.every((token, i) => token(name[at + i] ?? ''))
  const [first = [], ...rest] = runs
  if (!fits(first, 0)) return false
  const last = rest.pop()
  if (!last) return first.length === name.length
  let at = first.length
  for (const run of rest) {
    while (at <= name.length && !fits(run, at)) at++
    if (at > name.length) return false
    at += run.length
  }
  const end = name.length - last.length
  return end >= at && fits(last, end)
}
