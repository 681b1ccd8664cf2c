import { LRUCache } from 'lru-cache'
import type { Pointer } from '../../lfs/pointer.ts'
import type { Commit, Tag } from '../objects/objects.ts'
import type { Tree } from '../objects/tree.ts'

/** What a listing says of a blob. */
export interface BlobFacts {
  /** Length of the blob itself, of a pointer's own text too. */
  sizeBytes: number
  /** The LFS object the blob points at. */
  pointer?: Pointer
}

/** What is kept of an object, and about how much memory it takes. */
interface Cached {
  value: Commit | Tag | Tree | BlobFacts
  bytes: number
}

/** Parsed commits, tags and trees, and facts of blobs, of every Repo in this process. */
export type ObjectCache = LRUCache<string, Cached>

const CACHE_BYTES = 64 * 1024 * 1024

export const newObjectCache = (): ObjectCache =>
  new LRUCache({ maxSize: CACHE_BYTES, sizeCalculation: ({ bytes }) => bytes })
