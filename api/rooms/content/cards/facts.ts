import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Card } from './card.ts'
import { licenceId, licences } from './licences.ts'
import { libraryNames, taskNames } from './vocabulary.ts'

/** What a Repo's card says of it, in the words of the public hub's lists. */
export interface CardFacts {
  task: string | null
  library: string | null
  /** A known id, `other`, or nothing. */
  licence: string | null
  /** Flat, without doubles, in the hub's order. */
  tags: string[]
}

const MAX_TAGS = 500
const MAX_TAG_LENGTH = 256

/** The strings of a value that may be one scalar or a list of them. */
export function words(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list
    .filter((member) => typeof member === 'string' || typeof member === 'number')
    .map((member) => String(member).trim())
    .filter((member) => member !== '')
}

/** `language: no` is Norwegian, also where a YAML 1.1 tool has made a boolean of it. */
export function languages(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return words(list.map((member: unknown) => (member === false ? 'no' : member)))
}

/** Facts of a card. Formats, architectures and other facts of the files are the index's. */
export async function cardFacts(type: RepoType, card: Card): Promise<CardFacts> {
  const matter = card.frontMatter ?? {}
  const found = type === 'model' ? await modelFacts(matter) : datasetFacts(matter)
  const licence = words(matter['license']).map((id) => licenceId(id))[0]
  const arxiv = [...card.body.matchAll(/arxiv\.org\/(?:abs|pdf)\/(\d{4}\.\d{4,5})/g)].map(
    (m) => `arxiv:${m[1]}`,
  )
  const tags = [...found.tags, ...arxiv, 'region:us'].filter((tag) => tag.length <= MAX_TAG_LENGTH)
  return {
    task: found.task,
    library: found.library,
    licence: licence === undefined ? null : licences.has(licence) ? licence : 'other',
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
  }
}

type Found = Pick<CardFacts, 'task' | 'library' | 'tags'>

async function modelFacts(matter: Record<string, unknown>): Promise<Found> {
  const own = words(matter['tags'])
  const [tasks, libraries] = await Promise.all([taskNames(), libraryNames()])
  const library = words(matter['library_name'])[0] ?? own.find((tag) => libraries.has(tag)) ?? null
  const task =
    words(matter['pipeline_tag'])[0] ??
    own.find((tag) => tasks.has(tag)) ??
    (library === null ? undefined : taskOfLibrary[library]) ??
    null
  const tags = [
    ...(library === null ? [] : [library]),
    ...(task === null ? [] : [task]),
    ...own,
    ...languages(matter['language']),
    ...prefixed(matter, 'dataset', 'datasets'),
    ...baseModels(matter),
    ...words(matter['license']).map((id) => `license:${licenceId(id)}`),
  ]
  return { task, library, tags }
}

// What a library is for when the card does not say (indexing.md §4).
const taskOfLibrary: Record<string, string> = {
  'sentence-transformers': 'sentence-similarity',
  timm: 'image-classification',
  diffusers: 'text-to-image',
  'stable-baselines3': 'reinforcement-learning',
}

/** Each base both bare and with its relation, as the hub lists them. */
function baseModels(matter: Record<string, unknown>): string[] {
  const bases = words(matter['base_model'])
  if (bases.length === 0) return []
  const stated = words(matter['base_model_relation'])[0]
  const tags = words(matter['tags'])
  const isMerge = bases.length > 1 || tags.includes('merge')
  const isAdapter = words(matter['library_name'])[0] === 'peft' || tags.includes('peft')
  const relation = stated ?? (isAdapter ? 'adapter' : isMerge ? 'merge' : 'finetune')
  return bases.flatMap((base) => [`base_model:${base}`, `base_model:${relation}:${base}`])
}

// Datasets prefix everything; the two styles must not be mixed (indexing.md §4).
const datasetKeys = [
  'task_categories',
  'task_ids',
  'annotations_creators',
  'language_creators',
  'multilinguality',
  'source_datasets',
  'size_categories',
  'benchmark',
] as const

function datasetFacts(matter: Record<string, unknown>): Found {
  const tags = [
    ...datasetKeys.flatMap((key) => prefixed(matter, key, key)),
    ...languages(matter['language']).map((language) => `language:${language}`),
    ...words(matter['license']).map((id) => `license:${licenceId(id)}`),
    ...words(matter['tags']),
  ]
  return { task: words(matter['task_categories'])[0] ?? null, library: null, tags }
}

function prefixed(matter: Record<string, unknown>, prefix: string, key: string): string[] {
  return words(matter[key]).map((word) => `${prefix}:${word}`)
}
