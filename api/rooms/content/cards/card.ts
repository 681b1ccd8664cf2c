import { readYaml, type YamlFault } from './yaml/read.ts'

/** Longer front matter is not read. Bytes. The results of large benchmarks in a `model-index` take up to 900 KiB. */
export const MAX_FRONT_MATTER_BYTES = 1024 * 1024

/** How much of a README is read for its card: the longest front matter, and as much of the text below. Bytes. */
export const MAX_CARD_BYTES = 2 * MAX_FRONT_MATTER_BYTES

/** Something wrong with a card; the card is kept all the same. */
export type CardProblem = YamlFault

/** The README of a repo as metadata. */
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

/**
 * Reads a README's front matter: YAML 1.2 core, so that `no` stays the language it means. Problem
 * `temporarily-unavailable`.
 */
export async function parseCard(readme: string): Promise<Card> {
  const opening = OPENING.exec(readme)
  if (!opening) return { problems: [], body: readme }
  const rest = readme.slice(opening[0].length)
  const closing = CLOSING.exec(rest)
  const yaml = rest.slice(0, closing?.index)
  const body = closing ? rest.slice(closing.index + closing[0].length) : readme
  // Its end may lie beyond what was read.
  if (Buffer.byteLength(yaml) > MAX_FRONT_MATTER_BYTES)
    return broken(
      'front-matter-too-large',
      `The metadata block is larger than ${MAX_FRONT_MATTER_BYTES} bytes.`,
      body,
    )
  if (!closing) return broken('front-matter-open', 'The metadata block has no closing ---.', readme)
  const parsed = await readYaml(yaml)
  if ('fault' in parsed) return { problems: [parsed.fault], body }
  const { value } = parsed
  if (value === null) return { frontMatter: {}, problems: [], body }
  if (typeof value !== 'object' || Array.isArray(value))
    return broken('not-a-map', 'The metadata block must be a map of keys and values.', body)
  return { frontMatter: value as Record<string, unknown>, problems: [], body }
}

function broken(code: string, message: string, body: string): Card {
  return { problems: [{ code, message }], body }
}
