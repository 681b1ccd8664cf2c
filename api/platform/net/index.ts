export { OutboundError, type OutboundFault } from './errors.ts'
export { safeFetch, type SafeAnswer, type SafeRequest } from './safe-fetch.ts'
export { checkTarget, guardFor, type Guard, type Lookup } from './target.ts'
