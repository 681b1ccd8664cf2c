import { expect, test } from 'vitest'
import { collect, fromChunks, observedStore } from './index.ts'
import { noTelemetry } from '../../platform/telemetry/index.ts'
import { blobStoreSuite } from './testing/conformance.ts'
import { directCases } from './testing/direct-uploads.ts'
import { MemoryBlobStore } from './testing/memory.ts'

blobStoreSuite('observed', async () => observedStore(new MemoryBlobStore(), noTelemetry), {
  more: directCases,
})

test('an observed store reports each call with its key, and passes results and errors through', async () => {
  const seen: string[] = []
  const store = observedStore(new MemoryBlobStore(), {
    observe: (operation, act) => {
      const { name, subject = '', waitsForSender = false } = operation
      seen.push(`${name} ${subject}${waitsForSender ? ', waits' : ''}`)
      return act()
    },
  })
  await store.put('lfs/a', fromChunks(Buffer.from('abc')))
  expect(Buffer.from(await collect(await store.read('lfs/a', { offset: 1, length: 2 }), 10)).toString()).toBe(
    'bc',
  )
  await store.copy('lfs/a', 'lfs/b')
  expect((await store.stat('lfs/b'))?.sizeBytes).toBe(3)
  await store.delete('lfs/b')
  await expect(store.read('lfs/b')).rejects.toMatchObject({ kind: 'missing' })
  expect(seen).toEqual([
    'blob.put lfs/a, waits',
    'blob.read lfs/a',
    'blob.copy lfs/b',
    'blob.stat lfs/b',
    'blob.delete lfs/b',
    'blob.read lfs/b',
  ])
})
