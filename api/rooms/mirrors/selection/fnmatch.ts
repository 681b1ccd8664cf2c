/*
 * Globs as hub clients read them (Python's `fnmatch`): `*` stands for any characters, `/` too, `?` for one, `[ab]` and
 * `[!ab]` for one of a set. A pattern that ends in `/` means all below that folder (huggingface_hub: utils/_paths.py).
 */

/** Whether a path matches. Takes at most length of path × length of pattern steps. */
export function fnmatch(path: string, pattern: string): boolean {
  const parts = partsOf(pattern.endsWith('/') ? `${pattern}*` : pattern)
  const characters = [...path]
  let [at, part] = [0, 0]
  // Where the last `*` stands, and what it has taken so far: the only place to come back to.
  let star: { part: number; at: number } | undefined
  while (at < characters.length) {
    const wanted = parts[part]
    if (wanted === '*') star = { part: part++, at }
    else if (wanted !== undefined && fits(wanted, characters[at] ?? '')) [at, part] = [at + 1, part + 1]
    else if (star) {
      star.at++
      ;[at, part] = [star.at, star.part + 1]
    } else return false
  }
  while (parts[part] === '*') part++
  return part === parts.length
}

type Part = '*' | { any: true } | { one: string } | { set: [string, string][]; isNegated: boolean }

const fits = (part: Exclude<Part, '*'>, character: string): boolean => {
  if ('any' in part) return true
  if ('one' in part) return part.one === character
  return part.set.some(([from, to]) => from <= character && character <= to) !== part.isNegated
}

function partsOf(pattern: string): Part[] {
  const characters = [...pattern]
  const parts: Part[] = []
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character === '*') parts.push('*')
    else if (character === '?') parts.push({ any: true })
    else if (character === '[') {
      const end = endOfSet(characters, i)
      // Without an end it stands for itself.
      if (end === undefined) parts.push({ one: '[' })
      else {
        parts.push(setOf(characters.slice(i + 1, end)))
        i = end
      }
    } else parts.push({ one: character })
  }
  return parts
}

/** A `]` right behind `[` or `[!` belongs to the set. */
function endOfSet(characters: string[], start: number): number | undefined {
  let i = start + 1
  if (characters[i] === '!') i++
  const end = characters.indexOf(']', i + 1)
  return end === -1 ? undefined : end
}

function setOf(inside: string[]): Part {
  const isNegated = inside[0] === '!'
  const members = isNegated ? inside.slice(1) : inside
  const set: [string, string][] = []
  for (let i = 0; i < members.length; i++) {
    const [from = '', dash, to] = members.slice(i, i + 3)
    if (dash === '-' && to !== undefined) {
      set.push([from, to])
      i += 2
    } else set.push([from, from])
  }
  return { set, isNegated }
}
