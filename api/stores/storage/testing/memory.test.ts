import { blobStoreSuite } from './conformance.ts'
import { directCases } from './direct-uploads.ts'
import { MemoryBlobStore } from './memory.ts'

blobStoreSuite('memory', async () => new MemoryBlobStore(), { more: directCases })
