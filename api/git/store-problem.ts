import { Problem } from '../problems/index.ts'
import { StoreError } from '../storage/index.ts'

/** What a caller is told of a blob store's failure; other errors come back unchanged. */
export function storeProblem(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  if (error.kind === 'transient') return new Problem('store-unavailable', { retryAfterS: 5, cause: error })
  if (error.kind === 'full') return new Problem('storage-full', { cause: error })
  return new Problem('internal', { cause: error })
}
