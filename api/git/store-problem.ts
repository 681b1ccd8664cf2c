import { Problem } from '../problems/index.ts'
import { StoreError } from '../storage/index.ts'
import { CorruptObject, isAbsentFile, PackClosed } from './errors.ts'

/** What a caller is told of a blob store's failure; other errors come back unchanged. */
export function storeProblem(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  if (error.kind === 'transient') return new Problem('store-unavailable', { retryAfterS: 5, cause: error })
  if (error.kind === 'full') return new Problem('storage-full', { cause: error })
  return new Problem('internal', { cause: error })
}

/** Eviction, a swap of packs by a compaction, or a damaged cache file: looking again may find the object sound. */
export function isMendable(error: unknown): boolean {
  if (error instanceof PackClosed || error instanceof CorruptObject || isAbsentFile(error)) return true
  return error instanceof StoreError && error.kind === 'missing'
}

/** Whether the disk of the pack cache has no room left. */
export function isCacheFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}
