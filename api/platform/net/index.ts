export { isAllowed } from './addresses.ts'
export { OutboundError, type OutboundFault } from './errors.ts'
export { environmentProxy } from './proxy.ts'
export {
  safeFetch,
  safeStream,
  type SafeAnswer,
  type SafeRequest,
  type StreamAnswer,
  type StreamRequest,
} from './safe-fetch.ts'
export { checkTarget, guardFor, type Guard, type Lookup } from './target.ts'
