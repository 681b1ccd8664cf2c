import type { DetailPart, Repo, RepoDetails, RepoLine } from '../../../rooms/repos/index.ts'
import type { Findings } from '../../../core/metadata/index.ts'
import { baseModels, transformersInfo } from './model-facts.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { ShownIssue } from '../../../rooms/scans/index.ts'
import { repoStatus } from '../files/security.ts'
import { hubId, hubTime } from '../wire/params.ts'

/** A repo about to be described, with what the asked keys need. */
export interface Described {
  repo: RepoLine
  /** What no asked key needs is empty. */
  details: RepoDetails
  /** The commit asked for; in lists the head. Absent in an empty repo. */
  commit: string | undefined
  /** The card at that commit. */
  card: Record<string, unknown> | null
  /** What the files of that commit say, where that is known. */
  findings: Findings | null
  /** How many models that the caller may read are made from this one. */
  children: number | undefined
  takesChunks: boolean
  /** How the files at that commit were found; absent unless asked for. */
  security?: { isDone: boolean; issues: readonly ShownIssue[] } | undefined
}

type Field = (of: Described) => unknown

const common: Record<string, Field> = {
  author: ({ repo }) => repo.ns,
  cardData: ({ card }) => card,
  createdAt: ({ repo }) => hubTime(repo.createdAt),
  disabled: ({ repo }) => repo.disabledAt !== null,
  downloads: ({ repo }) => repo.downloads30d,
  downloadsAllTime: ({ repo }) => repo.downloadsTotal,
  gated: ({ repo }) => repo.gated ?? false,
  lastModified: ({ repo }) => hubTime(repo.updatedAt),
  likes: ({ repo }) => repo.likes,
  private: ({ repo }) => repo.visibility === 'private',
  resourceGroup: () => undefined,
  sha: ({ commit }) => commit,
  // Put behind the other fields while they are read from the tree.
  siblings: () => undefined,
  tags: ({ details }) => details.tags,
  trendingScore: ({ repo }) => repo.trending,
  usedStorage: ({ details }) => details.gitBytes + details.lfsBytes,
}

const modelFields: Record<string, Field> = {
  ...common,
  baseModels: ({ details }) => baseModels(details.tags),
  childrenModelCount: ({ children }) => children,
  config: ({ findings }) => findings?.config,
  gguf: ({ findings }) => findings?.gguf,
  library_name: ({ repo }) => repo.library,
  mask_token: ({ findings }) => findings?.config?.tokenizer_config?.['mask_token'],
  pipeline_tag: ({ repo }) => repo.task,
  safetensors: ({ findings }) => findings?.safetensors,
  spaces: () => [],
  transformersInfo: ({ findings, repo }) => (findings ? transformersInfo(findings, repo) : undefined),
  'model-index': ({ card }) => card?.['model-index'],
  widgetData: ({ card }) => card?.['widget'],
}

const datasetFields: Record<string, Field> = {
  ...common,
  description: ({ repo }) => repo.description,
  citation: () => undefined,
  paperswithcode_id: ({ card }) => card?.['paperswithcode_id'],
  mainSize: ({ repo }) => repo.headBytes,
}

// Keys clients may ask for whose facts no card and no tree tells; an answer without them is what clients expect then.
const untold = {
  model: ['evalResults', 'inference', 'inferenceProviderMapping'],
  dataset: [],
}

// Not of the public list: asked for by old clients beside `expand`, or by a switch.
const silent: Record<string, Field> = {
  xetEnabled: ({ takesChunks }) => takesChunks,
  gitalyUid: () => undefined,
  securityRepoStatus: ({ security }) => security && repoStatus(security),
}

const fieldsBy = {
  model: { ...modelFields, ...silent },
  dataset: { ...datasetFields, ...silent },
} satisfies Record<Repo['type'], Record<string, Field>>

/** Refuses an `expand` key that no hub knows (hub-wire.md §5.1). */
export function checkExpand(type: Repo['type'], keys: string[]): void {
  const known = [...Object.keys(type === 'model' ? modelFields : datasetFields), ...untold[type]].sort()
  const unknown = keys.find((key) => !known.includes(key) && !Object.hasOwn(silent, key))
  if (unknown !== undefined)
    throw new Problem('invalid-request', { detail: `"expand" must be one of [${known.join(', ')}]` })
}

const ofFiles = ['config', 'gguf', 'mask_token', 'safetensors', 'transformersInfo']

const ofCard = ['cardData', 'model-index', 'widgetData', 'paperswithcode_id']

/** What must be read for the keys. */
export function needsOf(keys: readonly string[]): {
  parts: DetailPart[]
  siblings: boolean
  /** Of a list the heads, which are read for them. */
  commit: boolean
  /** How the files were found. */
  security: boolean
  /** How many models are made from each. */
  children: boolean
} {
  const needs: Record<DetailPart, boolean> = {
    card: keys.some((key) => ofCard.includes(key)),
    tags: keys.includes('tags') || keys.includes('baseModels'),
    facets: false,
    findings: keys.some((key) => ofFiles.includes(key)),
    storage: keys.includes('usedStorage'),
  }
  const parts = (Object.keys(needs) as DetailPart[]).filter((part) => needs[part])
  const siblings = keys.includes('siblings')
  const security = keys.includes('securityRepoStatus')
  const children = keys.includes('childrenModelCount')
  return { parts, siblings, children, security, commit: siblings || security || keys.includes('sha') }
}

/** The named fields of a repo behind its ids; those with nothing to say are left out, never null. */
export function describe(of: Described, { keys, isExpanded }: InfoKeys): Record<string, unknown> {
  const { id: uuid, ns, name, type } = of.repo
  const fields: Record<string, Field> = fieldsBy[type]
  const id = `${ns}/${name}`
  const view: Record<string, unknown> = { _id: hubId(uuid), id }
  if (type === 'model' && !isExpanded) view['modelId'] = id
  for (const key of keys) {
    const value = fields[key]?.(of)
    if (value !== undefined && value !== null) view[key] = value
  }
  return view
}

/** The keys of an answer; expanded ones come with nothing beside them but the ids. */
export interface InfoKeys {
  keys: readonly string[]
  isExpanded: boolean
}

const always =
  'author sha private gated disabled lastModified createdAt downloads likes tags cardData siblings usedStorage'.split(
    ' ',
  )

const ofModelFiles = ['config', 'gguf', 'safetensors', 'transformersInfo']

/** What an answer about one repo holds without `expand`. */
export const infoKeys = {
  model: [...always, ...ofModelFiles, 'pipeline_tag', 'library_name', 'spaces', 'model-index', 'widgetData'],
  dataset: [...always, 'description', 'citation', 'paperswithcode_id', 'mainSize'],
}

/** What a line of a list holds at least. */
export const listKeys =
  'author private gated disabled downloads likes tags createdAt lastModified pipeline_tag library_name trendingScore'.split(
    ' ',
  )
