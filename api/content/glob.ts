/**
 * Whether a gitignore-style pattern matches a path, both split at `/` (gitignore(5), wildmatch with WM_PATHNAME):
 * `*` and `?` stay within a segment, `**` alone in a segment spans any number of them. Linear in pattern × path: the
 * patterns come from users, so no regular expression is ever built from them.
 */
export function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < path.length) {
    const segment = pattern[p]
    if (segment === '**') {
      // A trailing `**` matches everything inside, so at least one segment; one in front or between may match none.
      if (p === pattern.length - 1) return true
      star = p++
      starAt = at
    } else if (segment !== undefined && matchSegment(segment, path[at] ?? '')) {
      p++
      at++
    } else if (star >= 0) {
      p = star + 1
      at = ++starAt
    } else return false
  }
  return p === pattern.length
}

/** One segment against one name: `*`, `?`, `[a-z]`, `[!a-z]`, `\` before a literal. */
export function matchSegment(pattern: string, name: string): boolean {
  let p = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < name.length) {
    if (pattern[p] === '*') {
      star = p++
      starAt = at
      continue
    }
    const next = matchOne(pattern, p, name.charAt(at))
    if (next !== undefined) {
      p = next
      at++
    } else if (star >= 0) {
      p = star + 1
      at = ++starAt
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** Where the pattern goes on after matching `char` at `p`; `undefined` when it does not match. */
function matchOne(pattern: string, p: number, char: string): number | undefined {
  const token = pattern[p]
  if (token === undefined) return undefined
  if (token === '?') return p + 1
  if (token === '\\' && p + 1 < pattern.length) return pattern[p + 1] === char ? p + 2 : undefined
  if (token === '[') {
    const end = classEnd(pattern, p)
    // Git lets an unclosed `[` match nothing at all.
    return end !== undefined && inClass(pattern.slice(p + 1, end), char) ? end + 1 : undefined
  }
  return token === char ? p + 1 : undefined
}

function classEnd(pattern: string, open: number): number | undefined {
  // A `]` right after `[` or `[!` is a member.
  let at = open + 1
  if (pattern[at] === '!' || pattern[at] === '^') at++
  for (at++; at < pattern.length; at++) {
    if (pattern.startsWith('[:', at - 1)) {
      const end = pattern.indexOf(':]', at + 1)
      if (end < 0) return undefined
      at = end + 1
    } else if (pattern[at] === ']') return at
  }
  return undefined
}

// The classes that `git lfs track` and people write (wildmatch.c knows twelve).
const named: Record<string, RegExp> = {
  space: /\s/,
  alpha: /[A-Za-z]/,
  digit: /\d/,
  alnum: /[A-Za-z\d]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
}

function inClass(members: string, char: string): boolean {
  const isNegated = members.startsWith('!') || members.startsWith('^')
  const set = isNegated ? members.slice(1) : members
  for (let i = 0; i < set.length; i++) {
    const name = /^\[:(\w+):\]/.exec(set.slice(i, i + 12))?.[1]
    if (name !== undefined) {
      if (named[name]?.test(char)) return !isNegated
      i += name.length + 3
      continue
    }
    const low = set.charAt(i)
    const high = set[i + 1] === '-' ? set[i + 2] : undefined
    if (high === undefined ? char === low : char >= low && char <= high) return !isNegated
    if (high !== undefined) i += 2
  }
  return isNegated
}
