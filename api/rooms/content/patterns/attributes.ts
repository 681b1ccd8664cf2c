import { MAX_ATTRIBUTES_LINE_BYTES } from '../../../core/git/index.ts'
import { within, type Effort } from './effort.ts'
import { byteString } from './glob.ts'
import { compiler, type Rule, type Rules } from './rules.ts'

/** Longer `.gitattributes` and `.gitignore` files are read no further; bytes. */
export const MAX_RULES_BYTES = 64 * 1024

/** One `.gitattributes` file. */
export interface AttributesFile {
  /** Folder it lies in, without slashes at its ends; the root is empty. */
  dir: string
  text: string
  /** What a Problem calls it, where that is not its path. */
  field?: string
}

interface CompiledFile {
  /** With a slash at its end, or empty. */
  dir: string
  field: string
  text: string
  rules?: Rules<Filter>
}

/** What a line says of `filter`: a name, or that there is none. */
interface Filter {
  name: string | undefined
}

const compile = compiler(parseRules)

/** The `filter` rules of a tree's `.gitattributes` files (gitattributes(5)); of several lines that match, the last wins. */
export class Attributes {
  readonly #files = new Map<string, CompiledFile>()

  constructor(files: readonly AttributesFile[]) {
    for (const { dir, text, field } of files)
      this.#files.set(dir, {
        dir: dir === '' ? '' : byteString(`${dir}/`),
        field: field ?? (dir === '' ? '.gitattributes' : `${dir}/.gitattributes`),
        text: text.slice(0, MAX_RULES_BYTES),
      })
  }

  /** Whether git would store this path through LFS. Problem `validation-failed`, of the file whose rules take too long. */
  async isLfs(path: string, effort: Effort): Promise<boolean> {
    const bytes = byteString(path)
    // A file closer to the path overrides those above it.
    for (let end = path.length; end > 0;) {
      end = path.lastIndexOf('/', end - 1)
      const file = this.#files.get(end < 0 ? '' : path.slice(0, end))
      if (!file) continue
      const rules = (file.rules ??= compile(file.text))
      const below = bytes.slice(file.dir.length)
      const filter = await within(file.field, () => rules.find(below, false, effort))
      if (filter) return filter.name === 'lfs'
    }
    return false
  }
}

function parseRules(text: string): Rule<Filter>[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line) => parseRule(line))
}

function parseRule(line: string): Rule<Filter>[] {
  const trimmed = line.replace(/^[ \t\r]+/, '')
  if (trimmed === '' || trimmed.startsWith('#') || Buffer.byteLength(line) > MAX_ATTRIBUTES_LINE_BYTES)
    return []
  const { pattern, rest } = splitPattern(trimmed)
  // Negative patterns are forbidden and those ending in a slash match no file (gitattributes(5)).
  if (pattern === '' || pattern.startsWith('!') || pattern.startsWith('[attr]') || pattern.endsWith('/'))
    return []
  const words = rest.split(/[ \t\r]+/).filter((word) => word !== '')
  // Git leaves out a line with a name that cannot be one.
  const settings = words.map((word) => SETTING.exec(word))
  const last = settings.findLast((setting) => setting?.[2] === 'filter')
  if (!last || settings.includes(null)) return []
  const says = { name: last[1] === '' ? last[3]?.slice(1) : undefined }
  return [{ pattern: pattern.replace(/^\//, ''), isName: !pattern.includes('/'), says }]
}

// attr.c, parse_attr: `name`, `-name`, `!name`, `name=value`. `binary` is a built-in macro and says nothing of filters.
const SETTING = /^([-!]?)([A-Za-z0-9_.][A-Za-z0-9_.-]*)(=.*)?$/

/** A pattern with blanks is written in double quotes with C escapes. */
function splitPattern(line: string): { pattern: string; rest: string } {
  const quoted = /^"((?:[^"\\]|\\.)*)"(.*)$/.exec(line)
  if (quoted) return { pattern: unquoted(quoted[1] ?? ''), rest: quoted[2] ?? '' }
  const blank = line.search(/[ \t\r]/)
  return blank < 0 ? { pattern: line, rest: '' } : { pattern: line.slice(0, blank), rest: line.slice(blank) }
}

const escapes: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** quote.c, unquote_c_style; bytes that no text has are given in three octal digits. */
function unquoted(text: string): string {
  const bytes = byteString(text).replace(/\\([0-3][0-7]{2}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
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
