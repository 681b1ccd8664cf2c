export { batch, type BatchRequest, type BatchResponse } from './batch.ts'
export { uploadSweep } from './expire.ts'
