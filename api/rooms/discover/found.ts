import { z } from 'zod'
import { namePattern, type RepoType } from '../../../shared/vocabulary.ts'

// Servers differ in what they leave out, and add fields as they like.
const text = z.string().max(2000).nullish().catch(undefined)
const number = z.number().nullish().catch(undefined)
const Found = z.object({
  id: z.string(),
  author: text,
  description: text,
  likes: number,
  downloads: number,
  lastModified: text,
  private: z.boolean().nullish().catch(undefined),
  gated: z.union([z.boolean(), z.string()]).nullish().catch(undefined),
  tags: z.array(z.string()).nullish().catch(undefined),
  pipeline_tag: text,
  library_name: text,
})
export const FoundList = z.array(z.unknown())

/** A repo as an upstream lists it. */
export interface FoundRepo {
  type: RepoType
  ns: string
  name: string
  author?: string
  description?: string
  likes: number
  downloads: number
  updatedAt?: string
  task?: string
  library?: string
  licence?: string
  isPrivate: boolean
  isGated: boolean
  tags: string[]
}

/** A file of an upstream's repo. */
export interface ListedFile {
  path: string
  sizeBytes: number
  /** Of a large file. */
  sha256?: string
}

const MAX_TAGS = 100
const MAX_TAG = 200

/** Reads an entry of a list; `undefined` for one that could have no place here, such as a repo without a namespace. */
export function readFound(type: RepoType, entry: unknown): FoundRepo | undefined {
  const parsed = Found.safeParse(entry)
  if (!parsed.success) return undefined
  const { data } = parsed
  const [ns = '', name = '', ...more] = data.id.split('/')
  if (more.length > 0 || !namePattern.test(ns) || !namePattern.test(name)) return undefined
  const tags = (data.tags ?? []).slice(0, MAX_TAGS).map((tag) => tag.slice(0, MAX_TAG))
  const licence = tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length)
  const updated = data.lastModified ? new Date(data.lastModified) : undefined
  return {
    type,
    ns,
    name,
    ...(data.author ? { author: data.author } : {}),
    ...(data.description ? { description: data.description } : {}),
    likes: count(data.likes),
    downloads: count(data.downloads),
    ...(updated && !Number.isNaN(updated.getTime()) ? { updatedAt: updated.toISOString() } : {}),
    ...(data.pipeline_tag ? { task: data.pipeline_tag } : {}),
    ...(data.library_name ? { library: data.library_name } : {}),
    ...(licence ? { licence } : {}),
    isPrivate: Boolean(data.private),
    isGated: Boolean(data.gated),
    tags,
  }
}

const count = (value: number | null | undefined) =>
  Number.isSafeInteger(value) && (value ?? 0) > 0 ? (value ?? 0) : 0
