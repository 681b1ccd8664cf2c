import { LineCounter, parseDocument } from 'yaml'
import { isNestedDeeper } from './yaml-nesting.ts'

/** Longer front matter is not read: it is parsed on the request's own thread. Bytes. */
const MAX_FRONT_MATTER_BYTES = 64 * 1024
const MAX_DEPTH = 50
// What expands far beyond the file's own size (reliability.md §7).
const MAX_ALIASES = 100

/** Something wrong with a card; the card is kept all the same. */
export interface CardProblem {
  code: string
  message: string
}

/** The README of a Repo as metadata. */
export interface Card {
  /** Absent when there is no block, or none that can be read. */
  frontMatter?: Record<string, unknown>
  problems: CardProblem[]
  /** The Markdown below the block. */
  body: string
}

// Blanks, `---`, YAML, `---` (huggingface_hub: repocard.py, REGEX_YAML_BLOCK); a byte-order mark may come first.
const OPENING = /^\uFEFF?\s*---[^\S\n]*\r?\n/
const CLOSING = /^---[^\S\n]*(?:\r?\n|$)/m

/** Reads a README's front matter: YAML 1.2 core, so that `no` stays the language it means. */
export function parseCard(readme: string): Card {
  const opening = OPENING.exec(readme)
  if (!opening) return { problems: [], body: readme }
  const rest = readme.slice(opening[0].length)
  const closing = CLOSING.exec(rest)
  if (!closing) return broken('front-matter-open', 'The metadata block has no closing ---.', readme)
  const body = rest.slice(closing.index + closing[0].length)
  const yaml = rest.slice(0, closing.index)
  if (Buffer.byteLength(yaml) > MAX_FRONT_MATTER_BYTES)
    return broken(
      'front-matter-too-large',
      `The metadata block is larger than ${MAX_FRONT_MATTER_BYTES} bytes.`,
      body,
    )
  return parseYaml(yaml, body)
}

function parseYaml(yaml: string, body: string): Card {
  const lineCounter = new LineCounter()
  let value: unknown
  try {
    if (isNestedDeeper(yaml, MAX_DEPTH)) throw tooDeep()
    const document = parseDocument(yaml, { version: '1.2', schema: 'core', lineCounter, prettyErrors: false })
    const error = document.errors[0]
    if (error) {
      // The block starts on the second line of the file.
      const line = lineCounter.linePos(error.pos[0]).line + 1
      return broken('yaml-invalid', `Line ${line}: ${error.message}`, body)
    }
    value = plain(document.toJS({ maxAliasCount: MAX_ALIASES }), 0)
  } catch (error) {
    // Aliases without end, or nesting.
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    return broken('yaml-unsafe', `The metadata block is refused: ${reason}`, body)
  }
  if (value === null) return { frontMatter: {}, problems: [], body }
  if (typeof value !== 'object' || Array.isArray(value))
    return broken('not-a-map', 'The metadata block must be a map of keys and values.', body)
  return { frontMatter: value as Record<string, unknown>, problems: [], body }
}

function broken(code: string, message: string, body: string): Card {
  return { problems: [{ code, message }], body }
}

const tooDeep = () => new RangeError(`it is nested more than ${MAX_DEPTH} deep`)

/** Only what JSON and both databases can hold: Postgres refuses NUL and lone surrogates. Throws on deep nesting. */
function plain(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw tooDeep()
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map((member) => plain(member, depth + 1))
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([key, member]) => [clean(key), plain(member, depth + 1)] as const,
    )
    return Object.fromEntries(entries)
  }
  return null
}

// Without NUL, and without the bidirectional controls that would show a tag in another order than it is stored in.
const LEFT_OUT = /[\0\u202a-\u202e\u2066-\u2069]/g

function clean(text: string): string {
  return text.replaceAll(LEFT_OUT, '').replace(/\p{Surrogate}/gu, '\uFFFD')
}
