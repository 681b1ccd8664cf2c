/*
 * Patterns as git matches them (wildmatch.c). They come from users, so no regular expression is ever built from them: a
 * pattern is compiled to a list of numbers, and matching counts its steps. Git compares bytes; `byteString` has one
 * character for each.
 */

/** Elements of a compiled pattern; 0 and above is a byte, below `CLASS` the place of a set in `classes`. */
const ONE = -1
/** Any bytes but `/`. */
const STAR = -2
/** Any bytes. */
const GLOBSTAR = -3
/** Nothing, or any bytes that end with `/`. */
const FOLDERS = -4
const CLASS = -5

/** Bits of a set of bytes: eight numbers of 32. */
const WORDS = 8

/** A pattern ready for matching. */
export interface Glob {
  elements: number[]
  classes: number[]
  /** The only text that matches, where there is only one. */
  literal?: string
}

/** A text with one character per byte of its UTF-8. */
export function byteString(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** Compiles a pattern, given as `byteString`; `undefined` for one that can match nothing. */
export function compileGlob(pattern: string): Glob | undefined {
  const at = pattern.search(/[*?[\\]/)
  // Git compares the plain beginning by itself, and takes what follows for a pattern of its own.
  const from = at < 0 ? pattern.length : at
  const elements = Array.from(pattern.slice(0, from), (char) => char.charCodeAt(0))
  const classes: number[] = []
  for (let p = from; p < pattern.length;) {
    const next = compileOne(pattern, p, { from, elements, classes })
    if (next === undefined) return undefined
    p = next
  }
  if (elements.some((element) => element < 0)) return { elements, classes }
  return { elements, classes, literal: pattern.replace(/\\(.)/g, '$1') }
}

interface Compiled {
  from: number
  elements: number[]
  classes: number[]
}

/** Compiles what stands at `p` and answers where the next begins; `undefined` when nothing can match it. */
function compileOne(pattern: string, p: number, into: Compiled): number | undefined {
  const { elements } = into
  const char = pattern[p]
  if (char === '*') return compileStars(pattern, p, into)
  if (char === '[') return compileClass(pattern, p, into)
  if (char === '\\') p++
  if (p >= pattern.length) return undefined
  elements.push(char === '?' ? ONE : pattern.charCodeAt(p))
  return p + 1
}

/** Two stars span folders where they stand alone between slashes; elsewhere they are as one. */
function compileStars(pattern: string, p: number, { from, elements }: Compiled): number {
  let end = p
  while (pattern[end] === '*') end++
  const isAlone = p === from || pattern[p - 1] === '/'
  if (end - p > 1 && isAlone && pattern[end] === '/') {
    elements.push(FOLDERS)
    return end + 1
  }
  const spans = end - p > 1 && isAlone && (end === pattern.length || pattern.startsWith('\\/', end))
  elements.push(spans ? GLOBSTAR : STAR)
  return end
}

/** A set in brackets. A `]` right after `[` or `[!` is a member; a set without end matches nothing. */
function compileClass(pattern: string, open: number, { elements, classes }: Compiled): number | undefined {
  let p = open + 1
  const isNegated = pattern[p] === '!' || pattern[p] === '^'
  if (isNegated) p++
  const words = Array.from({ length: WORDS }, () => 0)
  const add = (low: number, high = low) => {
    for (let c = low; c <= high; c++) words[c >> 5] = (words[c >> 5] ?? 0) | (1 << (c & 31))
  }
  let before = 0
  do {
    if (p >= pattern.length) return undefined
    const name = pattern.startsWith('[:', p) ? classNameAt(pattern, p) : undefined
    if (name !== undefined) {
      const members = named.get(name)
      if (!members) return undefined
      for (const [low, high] of members) add(low, high)
      p += name.length + 3
      before = 0
    } else if (pattern[p] === '-' && before !== 0 && p + 1 < pattern.length && pattern[p + 1] !== ']') {
      if (pattern[++p] === '\\') p++
      if (p >= pattern.length) return undefined
      add(before, pattern.charCodeAt(p))
      before = 0
    } else {
      if (pattern[p] === '\\') p++
      if (p >= pattern.length) return undefined
      before = pattern.charCodeAt(p)
      add(before)
    }
  } while (pattern[++p] !== ']')
  const slash = 0x2f
  const bits = isNegated ? words.map((word) => ~word) : words
  bits[slash >> 5] = (bits[slash >> 5] ?? 0) & ~(1 << (slash & 31))
  elements.push(CLASS - classes.length / WORDS)
  classes.push(...bits)
  return p + 1
}

/** `space` of `[:space:]`; without `:]` before the next `]` it is no name. */
function classNameAt(pattern: string, at: number): string | undefined {
  const end = pattern.indexOf(']', at + 2)
  return end > at + 2 && pattern[end - 1] === ':' ? pattern.slice(at + 2, end - 1) : undefined
}

const range = (from: string, to = from): [number, number] => [from.charCodeAt(0), to.charCodeAt(0)]
const digit = range('0', '9')
const lower = range('a', 'z')
const upper = range('A', 'Z')
const punct = [range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~')]

const named = new Map<string, [number, number][]>(
  Object.entries({
    alnum: [digit, lower, upper],
    alpha: [lower, upper],
    blank: [range(' '), range('\t')],
    cntrl: [
      [1, 31],
      [127, 127],
    ],
    digit: [digit],
    graph: [range('!', '~')],
    lower: [lower],
    print: [range(' ', '~')],
    punct,
    space: [range(' '), range('\t', '\n'), range('\r')],
    upper: [upper],
    xdigit: [digit, range('a', 'f'), range('A', 'F')],
  }),
)

/** More steps than allowed; whether the pattern matches is not known. */
export class OutOfSteps extends Error {}

/**
 * Matches a glob with a text, both of bytes. Answers the number of steps, below zero where it does not match; throws
 * `OutOfSteps` beyond `maxSteps`.
 */
export function matchGlob(glob: Glob, text: string, maxSteps: number): number {
  const { elements } = glob
  let steps = 0
  let e = 0
  let at = 0
  /** Where to try again: the latest `*`, which stays within a folder, and the latest `**`. */
  let star = -1
  let starAt = 0
  let span = -1
  let spanAt = 0
  for (;;) {
    if (++steps > maxSteps) throw new OutOfSteps()
    const element = elements[e]
    if (element === undefined && at === text.length) return steps
    if (element === STAR) {
      star = e++
      starAt = at
    } else if (element === GLOBSTAR || element === FOLDERS) {
      span = e++
      spanAt = at
      star = -1
    } else if (element !== undefined && at < text.length && isOne(glob, element, text.charCodeAt(at))) {
      e++
      at++
    } else if (star >= 0 && starAt < text.length && text[starAt] !== '/') {
      e = star + 1
      at = ++starAt
    } else if (span >= 0) {
      spanAt = elements[span] === FOLDERS ? afterSlash(text, spanAt) : spanAt + 1
      if (spanAt > text.length) return -steps
      star = -1
      e = span + 1
      at = spanAt
    } else return -steps
  }
}

function isOne({ classes }: Glob, element: number, byte: number): boolean {
  if (element >= 0) return element === byte
  if (element === ONE) return byte !== 0x2f
  return (((classes[(CLASS - element) * WORDS + (byte >> 5)] ?? 0) >>> (byte & 31)) & 1) === 1
}

function afterSlash(text: string, from: number): number {
  const slash = text.indexOf('/', from)
  return slash < 0 ? text.length + 1 : slash + 1
}
