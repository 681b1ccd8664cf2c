import { LRUCache } from 'lru-cache'
import type { Pointer } from '../../lfs/pointer.ts'
import type { Commit, Tag } from '../objects/objects.ts'
import { OID_BYTES, type ObjectType, type Oid } from '../objects/oid.ts'
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

/** Parsed commits, tags and trees, and facts of blobs, of every repo in this process. */
export interface ObjectCache {
  get(key: string): Cached | undefined
  set(key: string, cached: Cached): unknown
}

const CACHE_BYTES = 64 * 1024 * 1024

export const newObjectCache = (): ObjectCache =>
  new LRUCache<string, Cached>({ maxSize: CACHE_BYTES, sizeCalculation: ({ bytes }) => bytes })

/** Where an object is remembered; what was pruned must not be found. */
export function cacheKey(repoId: string, pruneSeq: number, kind: ObjectType | 'facts', oid: Oid): string {
  return `${repoId}:${pruneSeq}:${kind}:${oid.toString('latin1')}`
}

const oidOf = (key: string): Oid => Buffer.from(key.slice(-OID_BYTES), 'latin1')

/** A cache that remembers some objects for its own users alone, and all others where `shared` does. */
export function cacheApart(shared: ObjectCache, isApart: (oid: Oid) => boolean): ObjectCache {
  const own = newObjectCache()
  return {
    get: (key) => shared.get(key) ?? own.get(key),
    set: (key, cached) => (isApart(oidOf(key)) ? own : shared).set(key, cached),
  }
}
