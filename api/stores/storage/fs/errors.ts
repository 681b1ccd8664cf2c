import { StoreError, type StoreErrorKind } from '../store-error.ts'

/** errno names (errno(3)) whose meaning is sure; whatever else a disk says is `transient`, since nothing is known. */
const kinds: Record<string, StoreErrorKind> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EEXIST: 'exists',
  EACCES: 'permanent',
  EPERM: 'permanent',
  EROFS: 'permanent',
  ELOOP: 'permanent',
  ENAMETOOLONG: 'permanent',
  EINVAL: 'permanent',
  EISDIR: 'permanent',
  ENOTDIR: 'permanent',
  EXDEV: 'permanent',
  EMLINK: 'permanent',
  EFBIG: 'permanent',
  ENOTSUP: 'permanent',
  EOPNOTSUPP: 'permanent',
  ENOSYS: 'permanent',
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Runs one step on the disk; its system error becomes a `StoreError`, never `missing`: only a store that sees its root knows that. */
export async function onDisk<T>(key: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw toStoreError(key, error)
  }
}

function toStoreError(key: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const message = error instanceof Error ? error.message : String(error)
  return new StoreError(kinds[code] ?? 'transient', key, message, { cause: error })
}
