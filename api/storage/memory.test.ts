import { blobStoreSuite } from './testing/conformance.ts'
import { MemoryBlobStore } from './memory.ts'

blobStoreSuite('memory', async () => new MemoryBlobStore())
