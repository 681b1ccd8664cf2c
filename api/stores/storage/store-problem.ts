import { Problem } from '../../platform/problems/index.ts'
import type { StoreError } from './store-error.ts'

/**
 * What a caller sees of the store's failure; the log has the rest. Only a failure that may pass by itself is one to
 * try again. `missing` and `corrupt` mean that bytes of a row are lost, which is damage and never "not found": hub
 * clients remember an absence. `exists` cannot be, since keys are never used again, and `permanent` takes an operator.
 */
export function storeProblem(error: StoreError): Problem {
  switch (error.kind) {
    case 'transient':
      return new Problem('store-unavailable', { retryAfterS: 5, cause: error })
    case 'full':
      return new Problem('storage-full', { ...(error.detail && { detail: error.detail }), cause: error })
    case 'missing':
    case 'corrupt':
    case 'exists':
    case 'permanent':
      return new Problem('internal', { cause: error })
  }
}
