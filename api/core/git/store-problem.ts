import { StoreError, storeProblem } from '../../stores/storage/index.ts'
import { CorruptObject, isAbsentFile, PackClosed } from './errors.ts'

/** A blob store's failure as a Problem; other errors come back unchanged. */
export function receivedFrom(error: unknown): unknown {
  return error instanceof StoreError ? storeProblem(error) : error
}

/** Eviction, a swap of packs by a compaction, or a damaged cache file: looking again may find the object sound. */
export function isMendable(error: unknown): boolean {
  if (error instanceof PackClosed || error instanceof CorruptObject || isAbsentFile(error)) return true
  return error instanceof StoreError && error.kind === 'missing'
}

/** Whether the disk of the pack cache has no room left. */
export function isCacheFull(error: unknown): boolean {
  if (error instanceof StoreError) return error.kind === 'full'
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}
