import { licenceId } from './licences.ts'
import { languages, words } from './words.ts'
import type { Findings, Relation } from './findings.ts'

const MAX_TAGS = 500
const MAX_TAG_LENGTH = 256

/** What the tags of a repo are made of beside its card. */
export interface TagSource {
  found: Findings
  task: string | null
  libraries: string[]
  licences: string[]
  bases: readonly string[]
  relation: Relation
  /** `arxiv:…` and `doi:…` of the card's text. */
  papers: readonly string[]
  modalities: readonly string[]
  sizeCategories: readonly string[]
}

/** Tags of a model as hub clients filter by them (indexing.md §4): most stand without a prefix. */
export function modelTags(matter: Record<string, unknown>, of: TagSource): string[] {
  const { found, task, bases, relation } = of
  return limited([
    ...of.libraries,
    ...found.formats,
    ...(found.modelType === undefined ? [] : [found.modelType]),
    ...(task === null ? [] : [task]),
    ...words(matter['tags']),
    ...(found.chatTemplate !== undefined && task === 'text-generation' ? ['conversational'] : []),
    ...(found.hasCustomCode ? ['custom_code'] : []),
    ...languages(matter['language']),
    ...prefixed(matter, 'dataset', 'datasets'),
    // Each base both bare and with its relation.
    ...bases.flatMap((base) => [`base_model:${base}`, `base_model:${relation}:${base}`]),
    ...of.licences.map((id) => `license:${id}`),
    ...of.papers,
    ...quantizationTags(found),
    'region:us',
  ])
}

function quantizationTags({ quantization, quantizationBits }: Findings): string[] {
  if (quantization === undefined) return []
  return [
    ...(quantization === '' ? [] : [quantization]),
    ...(quantizationBits === 4 || quantizationBits === 8 ? [`${quantizationBits}-bit`] : []),
  ]
}

// Datasets prefix everything; the two styles must not be mixed.
const datasetKeys = [
  'task_categories',
  'task_ids',
  'annotations_creators',
  'language_creators',
  'multilinguality',
  'source_datasets',
] as const

/** Tags of a dataset as hub clients filter by them. */
export function datasetTags(matter: Record<string, unknown>, of: TagSource): string[] {
  return limited([
    ...datasetKeys.flatMap((key) => prefixed(matter, key, key)),
    ...of.sizeCategories.map((size) => `size_categories:${size}`),
    ...prefixed(matter, 'benchmark', 'benchmark'),
    ...languages(matter['language']).map((language) => `language:${language}`),
    ...words(matter['license']).map((id) => `license:${licenceId(id)}`),
    ...of.found.formats.map((format) => `format:${format}`),
    ...of.modalities.map((modality) => `modality:${modality}`),
    ...of.libraries.map((library) => `library:${library}`),
    ...words(matter['tags']),
    ...of.papers,
    'region:us',
  ])
}

function prefixed(matter: Record<string, unknown>, prefix: string, key: string): string[] {
  return words(matter[key]).map((word) => `${prefix}:${word}`)
}

const limited = (tags: string[]): string[] =>
  [...new Set(tags.filter((tag) => tag.length <= MAX_TAG_LENGTH))].slice(0, MAX_TAGS)
