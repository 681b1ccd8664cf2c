import { ViewerFault } from '../../viewer/viewer-fault.ts'

export type Token =
  | { kind: 'name'; text: string; isQuoted: boolean; at: number }
  | { kind: 'text'; text: string; at: number }
  | { kind: 'number'; text: string; at: number }
  | { kind: 'sign'; text: string; at: number }
  | { kind: 'end'; text: ''; at: number }

/** A filter or order that cannot be read; `at` counts characters from 0. */
export const syntaxFault = (message: string, at: number) =>
  new ViewerFault('InvalidParameter', `${message} (character ${at + 1}).`)

const patterns: [Exclude<Token['kind'], 'end'>, RegExp][] = [
  ['name', /"(?:[^"]|"")+"/y],
  ['name', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['text', /'(?:[^']|'')*'/y],
  ['number', /[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['sign', /<>|!=|<=|>=|[=<>(),.]/y],
]

/** The words and signs of a filter; anything else is refused, so comments and semicolons as well. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at++
      continue
    }
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.end
  }
  return [...tokens, { kind: 'end', text: '', at }]
}

function tokenAt(text: string, at: number): Token & { end: number } {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    const end = at + found.length
    if (kind === 'name') {
      const isQuoted = found.startsWith('"')
      return { kind, text: isQuoted ? found.slice(1, -1).replaceAll('""', '"') : found, isQuoted, at, end }
    }
    if (kind === 'text') return { kind, text: found.slice(1, -1).replaceAll("''", "'"), at, end }
    return { kind, text: found, at, end }
  }
  throw syntaxFault(`Unexpected ${JSON.stringify(text[at])}`, at)
}
