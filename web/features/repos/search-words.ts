import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { extraLabels, facetNames } from './list-state.ts'

/** Other words for a filter: those of the public hub and of code hosts. */
const otherWords: Record<string, string> = {
  author: 'ns',
  owner: 'ns',
  user: 'ns',
  org: 'ns',
  license: 'licence',
  lang: 'language',
  pipeline_tag: 'task',
  size_categories: 'size_category',
}

const word = /^([a-z_]+):([^\s:][^\s]*)$/i

/** What a search says: words to look for, and filters such as `license:mit`. */
export interface SearchWords {
  /** Without the filters, and without one that is still being written. */
  words: string
  /** Parameter of the address → value. */
  filters: Record<string, string>
  /** What stays in the field: the text without the filters. */
  rest: string
}

/**
 * Takes the filters of a list of `type` out of a search. The last word counts once a space follows it, or when
 * `isDone` says that nothing more will: until then it may become another value.
 */
export function searchWords(text: string, type: RepoTypePath, isDone: boolean): SearchWords {
  const names = new Set<string>([...facetNames[type], ...Object.keys(extraLabels)])
  const filters: Record<string, string> = {}
  const parts = text.split(/(\s+)/)
  const kept: string[] = []
  let unfinished: string | undefined
  for (const [i, part] of parts.entries()) {
    const [, given = '', value = ''] = word.exec(part) ?? []
    const name = otherWords[given.toLowerCase()] ?? given.toLowerCase()
    if (!names.has(name)) kept.push(part)
    else if (i < parts.length - 1 || isDone) filters[name] = value
    else unfinished = part
  }
  const words = kept.join('').replaceAll(/\s+/g, ' ').trim()
  const isTaken = Object.keys(filters).length > 0
  const rest = isTaken ? [words, unfinished].filter(Boolean).join(' ') : text
  return { words, filters, rest }
}
