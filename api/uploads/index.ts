export { batch, type BatchRequest, type BatchResponse } from './batch.ts'
export { uploadCheck } from './checks.ts'
export { pointerCheck } from './pointer-check.ts'
export { uploadSweep } from './expire.ts'
