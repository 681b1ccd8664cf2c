export { AnswerBody, directAgents } from './answer-body.ts'
export { LEAST_BYTES, ReadMemory, reuse } from './read-memory.ts'
export { RequestSlabs } from './request-slabs.ts'
export {
  BLOCK_BYTES,
  copyBytes,
  isAligned,
  LARGE_SLAB_BYTES,
  returnSlab,
  SLAB_BYTES,
  type Slab,
  takeSlab,
} from './slabs.ts'
export { switchDirectIo } from './switch-direct-io.ts'
