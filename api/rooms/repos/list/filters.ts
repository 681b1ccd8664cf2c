import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { FacetField } from '../../../core/metadata/index.ts'
import type { Catalogue, Entry } from './catalogue.ts'
import { lowered } from './like-pattern.ts'

/** Bounds that are within; what is not known is within none. */
export interface Range {
  min?: number | undefined
  max?: number | undefined
}

/** What a list is narrowed to. Within a list of values any one fits; all fields must hold. */
export interface RepoFilters {
  type?: RepoType | undefined
  /** Each occurs in `ns/name`, or begins a word of the description or a tag, in any case. */
  words?: string[] | undefined
  /** Each must occur in `ns/name`, in any case. */
  idContains?: string[] | undefined
  ns?: string | undefined
  facets?: { [F in FacetField]?: string[] | undefined } | undefined
  /** Groups of tags: one of each group. */
  tags?: string[][] | undefined
  parameters?: Range | undefined
  /** Tokens. */
  contextLength?: Range | undefined
  /** Bytes at the head. */
  size?: Range | undefined
  rows?: Range | undefined
  isGated?: boolean | undefined
  isMirror?: boolean | undefined
  /** Of this user id. */
  likedBy?: string | undefined
}

type Test = (entry: Entry) => boolean

/** Whether an entry fits all filters but those on facets, of which `isMirror` is one. `liked`: what the user of `likedBy` likes. */
export function testOf(catalogue: Catalogue, filters: RepoFilters, liked: ReadonlySet<string>): Test {
  const { type, ns, isGated, likedBy } = filters
  const tests: Test[] = []
  if (type !== undefined) tests.push((entry) => entry.type === type)
  if (isGated !== undefined) tests.push((entry) => entry.isGated === isGated)
  if (ns !== undefined) {
    const space = `${ns.toLowerCase()}/`
    tests.push(({ key }) => key.startsWith(space))
  }
  if (likedBy !== undefined) tests.push(({ id }) => liked.has(id))
  tests.push(...rangesOf(filters))
  for (const values of filters.tags ?? []) tests.push(taggedWith(catalogue, values))
  for (const part of filters.idContains ?? []) {
    const text = lowered(part)
    tests.push(({ key }) => key.includes(text))
  }
  for (const word of filters.words ?? []) tests.push(saying(catalogue, lowered(word)))
  return (entry) => tests.every((fits) => fits(entry))
}

function rangesOf(filters: RepoFilters): Test[] {
  const { parameters, contextLength, size, rows } = filters
  const within = (range: Range | undefined, valueOf: (entry: Entry) => number): Test[] => {
    if (!range) return []
    const { min = 0, max = Infinity } = range
    // What is not known is -1.
    return [(entry) => valueOf(entry) >= Math.max(min, 0) && valueOf(entry) <= max]
  }
  return [
    ...within(parameters, (entry) => entry.parameters),
    ...within(contextLength, (entry) => entry.contextLength),
    ...within(size, (entry) => entry.size),
    ...within(rows, (entry) => entry.rows),
  ]
}

const anyOf = (numbers: Iterable<number>): Test => {
  const wanted = new Set(numbers)
  return wanted.size === 0 ? () => false : ({ tags }) => tags.some((tag) => wanted.has(tag))
}

const taggedWith = ({ tags }: Catalogue, values: string[]): Test =>
  anyOf(values.flatMap((value) => tags.numberOf(value) ?? []))

function saying({ tags }: Catalogue, word: string): Test {
  const isTagged = anyOf(tags.numbersOf((tag) => lowered(tag).startsWith(word)))
  return (entry) => entry.key.includes(word) || beginsWord(entry.description, word) || isTagged(entry)
}

const letter = /[\p{L}\p{N}]/u

/** Whether a word of the text begins with this. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !letter.test(text[at - 1] ?? '') || !letter.test(word[0] ?? '')) return true
  return false
}
