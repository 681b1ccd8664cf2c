import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../blob-store.ts'
import { collect, fromChunks } from '../bytes.ts'
import {
  MIB,
  deleteAll,
  expectKind,
  givenBytes,
  givenObject,
  givenTroubledSource,
  listKeys,
} from './conformance-given.ts'
import { blobStoreSuite } from './conformance.ts'
import { directCases } from './direct-uploads.ts'
import { type Fault, failAt, failSeeded } from './fault-plan.ts'
import { FaultyBlobStore } from './faulty.ts'
import { MemoryBlobStore } from './memory.ts'
import { StoreError } from '../store-error.ts'

blobStoreSuite(
  'faulty, without faults',
  async () => new FaultyBlobStore(new MemoryBlobStore(), () => undefined),
  { more: directCases },
)

/** Puts, reads and lists an object of two chunks: 1 put, 2-3 its chunks, 4 read, 5-6 its chunks, 7 list. */
async function storeAndRead(store: BlobStore): Promise<Buffer> {
  await store.put('a', fromChunks(givenBytes(MIB), givenBytes(MIB)))
  const bytes = await collect(await store.read('a'), 2 * MIB)
  await listKeys(store, '')
  return bytes
}

test.each(['before', 'after'] as const)(
  'an error %s any step is heard, and the step after the last passes',
  async (type) => {
    for (let n = 1; n <= 7; n++) {
      const store = new FaultyBlobStore(new MemoryBlobStore(), failAt(n, { type, kind: 'transient' }))
      await expectKind(storeAndRead(store), 'transient')
    }
    const store = new FaultyBlobStore(new MemoryBlobStore(), failAt(8, { type, kind: 'transient' }))
    await expect(storeAndRead(store)).resolves.toHaveLength(2 * MIB)
    expect(store.ioCount).toBe(7)
  },
)

test('an error before a put leaves nothing and closes the source, one after it leaves the object', async () => {
  const source = givenTroubledSource([givenBytes(1)])
  const inner = new MemoryBlobStore()
  await expectKind(
    new FaultyBlobStore(inner, failAt(1, { type: 'before', kind: 'full' })).put('a', source),
    'full',
  )
  expect(source.isClosed()).toBe(true)
  expect(await listKeys(inner, '')).toEqual([])
  const late = new FaultyBlobStore(inner, failAt(1, { type: 'after', kind: 'transient' }))
  await expectKind(late.put('a', fromChunks(givenBytes(1))), 'transient')
  expect(await listKeys(inner, '')).toEqual(['a'])
  await deleteAll(inner)
})

describe('what a read can suffer', () => {
  async function readWith(fault: Fault): Promise<Buffer> {
    const inner = new MemoryBlobStore()
    await givenObject(inner, 'a', givenBytes(2 * MIB))
    return collect(await new FaultyBlobStore(inner, failAt(3, fault)).read('a'), 2 * MIB)
  }

  test('a short read ends without a word', async () => {
    expect(await readWith({ type: 'short' })).toHaveLength(MIB)
  })

  test('a flip turns exactly one bit', async () => {
    const read = await readWith({ type: 'flip' })
    const bytes = givenBytes(2 * MIB)
    const places = Array.from(bytes.keys()).filter((at) => read[at] !== bytes[at])
    expect(places).toEqual([MIB + MIB / 2])
    const place = places[0] ?? 0
    expect((read[place] ?? 0) ^ (bytes[place] ?? 0)).toBe(1)
  })
})

test('a stall lasts until the signal aborts or the store is released', async () => {
  const inner = new MemoryBlobStore()
  await givenObject(inner, 'a')
  const store = new FaultyBlobStore(inner, () => ({ type: 'stall' }))
  const abort = new AbortController()
  const reason = new Error('stalled')
  const read = store.read('a', undefined, abort.signal)
  const stat = store.stat('a')
  abort.abort(reason)
  await expect(read).rejects.toBe(reason)
  store.release()
  expect(await stat).toMatchObject({ sizeBytes: 10 })
})

test('a lagging list does not know the newest object', async () => {
  const store = new FaultyBlobStore(new MemoryBlobStore(), failAt(5, { type: 'lag' }))
  await givenObject(store, 'a')
  await givenObject(store, 'b')
  expect(await listKeys(store, '')).toEqual(['a'])
  expect(await listKeys(store, '')).toEqual(['a', 'b'])
})

test('the same seed gives the same faults, another seed others', async () => {
  const faults: Fault[] = [
    { type: 'before', kind: 'transient' },
    { type: 'after', kind: 'permanent' },
  ]
  const trace = async (seed: number) => {
    const store = new FaultyBlobStore(new MemoryBlobStore(), failSeeded(seed, 0.4, faults))
    const outcomes: string[] = []
    for (let n = 0; n < 100; n++)
      outcomes.push(
        await store
          .stat('a')
          .then(String, (error: unknown) => (error instanceof StoreError ? error.kind : 'bug')),
      )
    return outcomes
  }
  const first = await trace(7)
  expect(await trace(7)).toEqual(first)
  expect(await trace(8)).not.toEqual(first)
  const hits = first.filter((outcome) => outcome !== 'undefined')
  expect(new Set(hits)).toEqual(new Set(['transient', 'permanent']))
  expect(hits.length).toBeGreaterThan(20)
  expect(hits.length).toBeLessThan(60)
})
