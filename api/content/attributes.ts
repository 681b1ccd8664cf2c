import { MAX_ATTRIBUTES_LINE_BYTES } from '../git/index.ts'
import { matchSegment, matchSegments } from './glob.ts'

/** Longer `.gitattributes` and `.gitignore` files are read no further; bytes. */
export const MAX_RULES_BYTES = 64 * 1024

interface AttributeRule {
  pattern: string[]
  /** Without a slash in it a pattern is compared with the file's name alone. */
  isName: boolean
  /** What the line says of `filter`: a name, or unset. */
  filter: string | undefined
}

/** One `.gitattributes` file. */
export interface AttributesFile {
  /** Folder it lies in, without slashes at its ends; the root is empty. */
  dir: string
  text: string
}

interface ParsedFile {
  dir: string[]
  rules: AttributeRule[]
}

/** The `filter` rules of a tree's `.gitattributes` files (gitattributes(5)); of several lines that match, the last wins. */
export class Attributes {
  readonly #files: ParsedFile[]

  constructor(files: readonly AttributesFile[]) {
    this.#files = files
      .map(({ dir, text }) => ({ dir: dir === '' ? [] : dir.split('/'), rules: parseRules(text) }))
      // A file closer to the path overrides those above it.
      .toSorted((a, b) => a.dir.length - b.dir.length)
  }

  /** Whether Git would store this path through LFS. */
  isLfs(path: string): boolean {
    const segments = path.split('/')
    const name = segments.at(-1) ?? ''
    for (const { dir, rules } of this.#files.toReversed()) {
      if (segments.length <= dir.length || !dir.every((part, i) => part === segments[i])) continue
      const below = segments.slice(dir.length)
      const rule = rules.findLast((r) =>
        r.isName ? matchSegment(r.pattern[0] ?? '', name) : matchSegments(r.pattern, below),
      )
      if (rule) return rule.filter === 'lfs'
    }
    return false
  }
}

function parseRules(text: string): AttributeRule[] {
  return text
    .slice(0, MAX_RULES_BYTES)
    .split(/\r?\n/)
    .flatMap((line) => parseRule(line))
}

function parseRule(line: string): AttributeRule[] {
  const trimmed = line.trim()
  if (trimmed === '' || trimmed.startsWith('#') || Buffer.byteLength(line) > MAX_ATTRIBUTES_LINE_BYTES)
    return []
  const { pattern, rest } = splitPattern(trimmed)
  // Negative patterns are forbidden and those ending in a slash match no file (gitattributes(5)).
  if (pattern === '' || pattern.startsWith('!') || pattern.startsWith('[attr]') || pattern.endsWith('/'))
    return []
  const settings = rest.split(/\s+/).flatMap((word) => filterSetting(word))
  const last = settings.at(-1)
  if (!last) return []
  return [
    { pattern: pattern.replace(/^\//, '').split('/'), isName: !pattern.includes('/'), filter: last.value },
  ]
}

/** A pattern with blanks is written in double quotes with C escapes. */
function splitPattern(line: string): { pattern: string; rest: string } {
  const quoted = /^"((?:[^"\\]|\\.)*)"(.*)$/.exec(line)
  if (quoted)
    return { pattern: (quoted[1] ?? '').replace(/\\(["\\])/g, '$1'), rest: (quoted[2] ?? '').trim() }
  const blank = line.search(/\s/)
  return blank < 0
    ? { pattern: line, rest: '' }
    : { pattern: line.slice(0, blank), rest: line.slice(blank).trim() }
}

function filterSetting(word: string): { value: string | undefined }[] {
  if (word.startsWith('filter=')) return [{ value: word.slice('filter='.length) }]
  // `binary` is a built-in macro and says nothing of filters.
  return word === '-filter' || word === '!filter' ? [{ value: undefined }] : []
}

/**
 * The line that sends exactly this path through LFS. Blanks are written as `[[:space:]]`, as `git lfs track` does; where
 * that makes the line too long for git, `?` stands for them and for what needs escaping.
 */
export function lfsRule(path: string): string {
  const exact = ruleOf(path.replace(/[*?[\]\\]/g, '\\$&').replace(/ /g, '[[:space:]]'))
  return Buffer.byteLength(exact) - 1 <= MAX_ATTRIBUTES_LINE_BYTES
    ? exact
    : ruleOf(path.replace(/[*?[\]\\ ]/g, '?'))
}

// With a leading slash a name without a slash is matched in the root alone.
const ruleOf = (pattern: string): string => `/${pattern} filter=lfs diff=lfs merge=lfs -text\n`
