import type { RepoType } from '../../../shared/vocabulary.ts'
import { datasetLibraries } from './formats.ts'
import { modalitiesOf, rowsOfCard, sizeCategory } from './dataset-card.ts'
import type { Findings } from './findings.ts'
import { licenceId, licences } from './licences.ts'
import { needsOf, type RepoNeed } from './needs.ts'
import { basesOf } from './relation.ts'
import { datasetTags, modelTags, type TagSource } from './tags.ts'
import { taskOfArchitecture, taskOfGguf, taskOfLibrary } from './task.ts'
import type { Vocabulary } from './vocabulary.ts'
import { distinct, languages, words } from './words.ts'

/** What people narrow lists by, each with its values. */
export const facetFields = [
  'format',
  'task',
  'library',
  'quant',
  'licence',
  'language',
  'modality',
  'size_category',
] as const
export type FacetField = (typeof facetFields)[number]

/** A README as a source of metadata. */
export interface CardText {
  frontMatter: Record<string, unknown> | null
  /** `arxiv:…` and `doi:…` that the text links to. */
  papers: string[]
}

/** What is known of a repo from its card and its files (indexing.md §4). */
export interface Metadata {
  task: string | null
  library: string | null
  /** A known id, `other`, or nothing. */
  licence: string | null
  parameters: number | null
  /** Tokens. */
  contextLength: number | null
  /** Of a dataset. */
  rows: number | null
  /** As hub clients filter by them: flat, without doubles, in the hub's order. */
  tags: string[]
  facets: Record<FacetField, string[]>
  needs: RepoNeed[]
}

/** Puts together what a card and files say. Pure: what both say stands in the card's words. */
export function metadataOf(
  type: RepoType,
  card: CardText,
  found: Findings,
  vocabulary: Vocabulary,
): Metadata {
  const matter = card.frontMatter ?? {}
  const stated = words(matter['license']).map((id) => licenceId(id))
  const licenceIds =
    stated.length > 0 ? stated : found.licence === undefined ? [] : [licenceId(found.licence)]
  const of: Shared = { matter, card, found, vocabulary, licenceIds, ...basesOf(matter, found) }
  const { facets, ...special } = type === 'model' ? modelMetadata(of) : datasetMetadata(of)
  const [first] = licenceIds
  const licence = first === undefined ? null : licences.has(first) ? first : 'other'
  return {
    ...special,
    licence,
    parameters: found.parameters ?? null,
    contextLength: type === 'model' ? (found.contextLength ?? null) : null,
    facets: {
      ...facets,
      format: found.formats,
      quant: short(found.quants),
      licence: licence === null ? [] : [licence],
      language: short(languages(matter['language'])),
    },
    needs: needsOf(type, matter, found, of),
  }
}

interface Shared extends ReturnType<typeof basesOf> {
  matter: Record<string, unknown>
  card: CardText
  found: Findings
  vocabulary: Vocabulary
  licenceIds: string[]
}

type Special = Pick<Metadata, 'task' | 'library' | 'rows' | 'tags'> & {
  facets: Pick<Metadata['facets'], 'task' | 'library' | 'modality' | 'size_category'>
}

function modelMetadata(of: Shared): Special {
  const { matter, found, vocabulary, card } = of
  const own = words(matter['tags'])
  const library =
    words(matter['library_name'])[0] ??
    own.find((tag) => vocabulary.libraries.has(tag)) ??
    found.library ??
    null
  const task =
    words(matter['pipeline_tag'])[0] ??
    own.find((tag) => vocabulary.tasks.has(tag)) ??
    taskOfArchitecture(found) ??
    taskOfLibrary(library) ??
    taskOfGguf(found) ??
    null
  const modality = vocabulary.tasks.get(task ?? '')
  const libraries = library === null ? [] : [library]
  return {
    task,
    library,
    rows: null,
    tags: modelTags(matter, { ...sourceOf(of, card), task, libraries, modalities: [], sizeCategories: [] }),
    facets: {
      task: short(task === null ? [] : [task]),
      library: short(libraries),
      modality: modality === undefined ? [] : [modality],
      size_category: [],
    },
  }
}

function datasetMetadata(of: Shared): Special {
  const { matter, found, card } = of
  const tasks = words(matter['task_categories'])
  const libraries = datasetLibraries(found.formats)
  const modalities = modalitiesOf(matter, found)
  const rows = found.rows ?? rowsOfCard(matter)
  const written = words(matter['size_categories'])
  const counted = found.rows ?? (written.length > 0 ? undefined : rows)
  const sizeCategories = counted === undefined ? written : [sizeCategory(counted)]
  const task = tasks[0] ?? null
  return {
    task,
    library: null,
    rows: rows ?? null,
    tags: datasetTags(matter, { ...sourceOf(of, card), task, libraries, modalities, sizeCategories }),
    facets: {
      task: short(tasks),
      library: libraries,
      modality: modalities,
      size_category: short(sizeCategories),
    },
  }
}

const sourceOf = (
  { found, licenceIds, bases, relation }: Shared,
  { papers }: CardText,
): Pick<TagSource, 'found' | 'licences' | 'bases' | 'relation' | 'papers'> => ({
  found,
  licences: licenceIds,
  bases,
  relation,
  papers,
})

const MAX_VALUES = 200
const MAX_LENGTH = 256

/** Values of a facet that a card gives. */
const short = (values: string[]): string[] =>
  distinct(values.filter((value) => value.length <= MAX_LENGTH)).slice(0, MAX_VALUES)

const paperLinks = [
  { prefix: 'arxiv', pattern: /arxiv\.org\/(?:abs|pdf)\/(\d{4}\.\d{4,5})/g },
  { prefix: 'doi', pattern: /doi\.org\/(10\.\d{4,9}\/[\w.()/:;-]{1,150}[\w/])/g },
]
const MAX_PAPERS = 100

/** `arxiv:…` and `doi:…` of the papers that a text links to. */
export const papersIn = (text: string): string[] =>
  distinct(
    paperLinks.flatMap(({ prefix, pattern }) =>
      [...text.matchAll(pattern)].map(([, id]) => `${prefix}:${id}`),
    ),
  ).slice(0, MAX_PAPERS)
