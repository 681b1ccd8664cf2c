import { describeEntries, readCard, type Revision } from '../content/index.ts'
import type { Repo, RepoDetails } from '../repos/index.ts'
import { Problem } from '../problems/index.ts'
import { hubTime } from './params.ts'

/** A Repo about to be described, at a commit where one is known. */
export interface Described {
  repo: Repo
  details: RepoDetails
  /** Absent in lists, where only the head counts. */
  revision?: Revision
  withBlobs: boolean
}

type Field = (of: Described) => unknown

const commitOf = ({ revision, repo }: Described) => revision?.commit ?? repo.headCommit ?? undefined

/** The card at the commit asked for; the head's was read when the branch moved. */
async function cardAt({ revision, repo, details }: Described): Promise<Record<string, unknown> | undefined> {
  if (!revision || revision.commit === repo.headCommit) return details.card ?? undefined
  return (await readCard(revision))?.frontMatter
}

/** Every file of the tree; with `blobs` their sizes and ids too. Without a commit there is nothing to list. */
async function siblings({ revision, withBlobs }: Described): Promise<object[] | undefined> {
  if (!revision) return undefined
  const { snapshot, commit } = revision
  const root = await snapshot.entryAt(commit, '')
  if (!root) return []
  const files = []
  for await (const entry of snapshot.walk(root.oid))
    if (entry.kind === 'file' || entry.kind === 'symlink') files.push(entry)
  if (!withBlobs) return files.map(({ path }) => ({ rfilename: path }))
  return (await describeEntries(snapshot, files)).map(({ path, oid, sizeBytes, lfs }) => ({
    rfilename: path,
    size: sizeBytes,
    blobId: oid,
    ...(lfs ? { lfs: { sha256: lfs.sha256, size: lfs.sizeBytes, pointerSize: lfs.pointerBytes } } : {}),
  }))
}

const common: Record<string, Field> = {
  author: ({ repo }) => repo.ns,
  cardData: cardAt,
  createdAt: ({ repo }) => hubTime(repo.createdAt),
  disabled: () => false,
  // Downloads are not counted yet; clients sort and print the field.
  downloads: () => 0,
  downloadsAllTime: () => 0,
  gated: ({ repo }) => repo.gated ?? false,
  lastModified: ({ repo }) => hubTime(repo.updatedAt),
  likes: ({ repo }) => repo.likes,
  private: ({ repo }) => repo.visibility === 'private',
  resourceGroup: () => undefined,
  sha: commitOf,
  siblings,
  tags: ({ details }) => details.tags,
  trendingScore: ({ repo }) => repo.likes,
  usedStorage: ({ details }) => details.gitBytes + details.lfsBytes,
}

const modelFields: Record<string, Field> = {
  ...common,
  library_name: ({ repo }) => repo.library ?? undefined,
  pipeline_tag: ({ repo }) => repo.task ?? undefined,
  spaces: () => [],
  'model-index': async (of) => (await cardAt(of))?.['model-index'],
  widgetData: async (of) => (await cardAt(of))?.['widget'],
}

const datasetFields: Record<string, Field> = {
  ...common,
  description: ({ repo }) => repo.description ?? undefined,
  citation: () => undefined,
  paperswithcode_id: async (of) => (await cardAt(of))?.['paperswithcode_id'],
  mainSize: ({ repo }) => repo.headBytes,
}

// Keys clients may ask for whose facts no card and no tree tells; an answer without them is what clients expect then.
const untold = {
  model: [
    'baseModels',
    'childrenModelCount',
    'config',
    'evalResults',
    'gguf',
    'inference',
    'inferenceProviderMapping',
    'mask_token',
    'safetensors',
    'transformersInfo',
  ],
  dataset: [],
}
// Asked for by old clients beside `expand`, and not of the public list.
const silent = ['xetEnabled', 'gitalyUid', 'securityRepoStatus']

/** Refuses an `expand` key that no hub knows (hub-wire.md §5.1). */
export function checkExpand(type: Repo['type'], keys: string[]): void {
  const known = [...Object.keys(type === 'model' ? modelFields : datasetFields), ...untold[type]].sort()
  const unknown = keys.find((key) => !known.includes(key) && !silent.includes(key))
  if (unknown !== undefined)
    throw new Problem('invalid-request', { detail: `"expand" must be one of [${known.join(', ')}]` })
}

/** The named fields of a Repo; those with nothing to say are left out, never null. */
export async function fieldsOf(of: Described, keys: string[]): Promise<Record<string, unknown>> {
  const fields = of.repo.type === 'model' ? modelFields : datasetFields
  const values = await Promise.all(keys.map(async (key) => [key, await fields[key]?.(of)] as const))
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null))
}

const always = [
  'author',
  'sha',
  'private',
  'gated',
  'disabled',
  'lastModified',
  'createdAt',
  'downloads',
  'likes',
  'tags',
  'cardData',
  'siblings',
  'usedStorage',
]

/** What an answer about one Repo holds without `expand`. */
export const infoKeys = {
  model: [...always, 'pipeline_tag', 'library_name', 'spaces', 'model-index', 'widgetData'],
  dataset: [...always, 'description', 'citation', 'paperswithcode_id', 'mainSize'],
}

/** What a line of a list holds at least. */
export const listKeys = [
  'author',
  'private',
  'gated',
  'disabled',
  'downloads',
  'likes',
  'tags',
  'createdAt',
  'lastModified',
  'pipeline_tag',
  'library_name',
  'trendingScore',
]
