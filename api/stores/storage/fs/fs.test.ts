import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { blobStoreSuite } from '../testing/conformance.ts'
import { FsBlobStore } from './fs.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-blobs-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

blobStoreSuite('fs', async () => FsBlobStore.open({ path: await mkdtemp(join(dir, 'store-')) }))
