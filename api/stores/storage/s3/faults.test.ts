import { afterEach, describe, expect, test } from 'vitest'
import { collect, fromChunks } from '../bytes.ts'
import {
  deleteAll,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  listKeys,
  MIB,
} from '../testing/conformance-given.ts'
import type { S3BlobStore, S3StoreOptions } from './s3.ts'
import { openFaultProxy, type Passing, type WireFault } from '../testing/fault-proxy.ts'
import { givenS3Store, s3Servers } from '../testing/s3-servers.ts'

/** The least that S3 takes for a part before the last. */
const PART_BYTES = 5 * MIB
const large = givenBytes(PART_BYTES + 5)

/** How the driver's calls look on the wire. */
const calls: Record<string, (passing: Passing) => boolean> = {
  put: ({ method, url }) => method === 'PUT' && !url.includes('uploadId') && !url.includes('.check'),
  get: ({ method, url }) => method === 'GET' && !url.includes('list-type') && !url.includes('uploadId'),
  head: ({ method }) => method === 'HEAD',
  list: ({ url }) => url.includes('list-type'),
  delete: ({ method, url }) => method === 'DELETE' && !url.includes('uploadId') && !url.includes('.check'),
  create: ({ method, url }) => method === 'POST' && /[?&]uploads/.test(url),
  part: ({ method, url }) => method === 'PUT' && url.includes('uploadId'),
  complete: ({ method, url }) => method === 'POST' && url.includes('uploadId'),
  probe: ({ url }) => url.includes('.check'),
}

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

for (const server of s3Servers)
  describe(`faults between us and ${server.name}`, () => {
    /** A store behind a proxy whose first `times` requests of one call go wrong, and one that sees what is there. */
    async function given(
      call: string,
      fault: WireFault,
      { times = 1, ...more }: Partial<S3StoreOptions> & { times?: number } = {},
    ) {
      let left = times
      const isHit = calls[call] ?? (() => false)
      const proxy = await openFaultProxy(server.url, (passing) => {
        if (left === 0 || !isHit(passing)) return undefined
        left--
        return fault
      })
      const prefix = crypto.randomUUID()
      const store = await givenS3Store(server, {
        prefix,
        partBytes: PART_BYTES,
        endpoint: proxy.url,
        // Longer than a server takes on a machine whose cores are all busy.
        stall_timeout: fault === 'stall' || fault === 'halt' ? 1000 : 20_000,
        ...more,
      })
      const direct = await givenS3Store(server, { prefix })
      open.push(async () => {
        await deleteAll(direct)
        await store.close()
        await direct.close()
        await proxy.close()
      })
      return { store, direct, proxy, isSpent: () => left === 0 }
    }

    async function useAll(store: S3BlobStore): Promise<void> {
      await givenObject(store, 'a/small', givenBytes(1000))
      await store.put('a/large', fromChunks(large))
      expectBytes(await collect(await store.read('a/large'), 64 * MIB), large)
      expect(await listKeys(store, 'a/')).toEqual(['a/large', 'a/small'])
      await store.delete('a/small')
      await store.delete('a/large')
    }

    const passing: WireFault[] = ['500', '503', 'reset', 'lost', 'stall', 'slow']
    describe.each(passing)('%s', (fault) => {
      test.each(Object.keys(calls))('of a %s is got over', async (call) => {
        const { store, direct, isSpent } = await given(call, fault)
        await useAll(store)
        expect(isSpent()).toBe(true)
        expect(await listKeys(direct, '')).toEqual([])
      })
    })

    const stops: WireFault[] = ['truncate', 'halt', 'half-close', 'reset']
    const ways = { directly: { directBytes: MIB }, 'as a stream': {} }
    test.each(stops.flatMap((fault) => Object.entries(ways).map(([way, how]) => ({ fault, way, how }))))(
      'a download that is read $way goes on where a $fault stopped it',
      async ({ fault, how }) => {
        const { store, direct, proxy } = await given('get', fault, { times: 3, ...how })
        const bytes = await givenObject(direct, 'a', givenBytes(3 * MIB))
        expectBytes(
          await collect(await store.read('a', { offset: 7, length: 2 * MIB }), 64 * MIB),
          bytes.subarray(7, 7 + 2 * MIB),
        )
        expect(proxy.asked.filter((passed) => calls['get']?.(passed))).toHaveLength(4)
      },
    )

    test.each(['500', 'reset', 'stall'] as const)(
      'what goes on failing with %s is transient',
      async (fault) => {
        const { store, direct } = await given('put', fault, { times: 99, retries: 1, stall_timeout: 300 })
        await expectKind(store.put('a', fromChunks(givenBytes(10))), 'transient')
        expect(await direct.stat('a')).toBeUndefined()
      },
    )

    test('retries 0 asks once', async () => {
      const { store, proxy } = await given('head', '503', { times: 99, retries: 0 })
      await expectKind(store.stat('a'), 'transient')
      expect(proxy.asked).toHaveLength(1)
    })

    test('a put whose answers are all lost is found to be done', async () => {
      const { store, proxy } = await given('put', 'lost', { times: 99 })
      expect(await store.put('a', fromChunks(givenBytes(10)))).toEqual(await store.stat('a'))
      expect(proxy.asked.filter((passed) => calls['put']?.(passed))).toHaveLength(1)
    })

    test('an unheard put is not taken for the object of another', async () => {
      const { store, direct } = await given('put', 'lost')
      await givenObject(direct, 'a', givenBytes(5))
      await expectKind(store.put('a', fromChunks(givenBytes(10))), 'exists')
      expectBytes(await collect(await direct.read('a'), MIB), givenBytes(5))
    })

    test('a part that goes on failing leaves no object and no upload', async () => {
      const { store, direct, proxy } = await given('part', '500', { times: 99, retries: 1 })
      await expectKind(store.put('a/large', fromChunks(givenBytes(PART_BYTES + 1))), 'transient')
      expect(await listKeys(direct, '')).toEqual([])
      expect(proxy.asked.some(({ method, url }) => method === 'DELETE' && url.includes('uploadId'))).toBe(
        true,
      )
    })

    test('a missing bucket is never a missing object', async () => {
      const store = await givenS3Store(server, { bucket: 'arsenal-never-made' })
      await expectKind(store.stat('a'), 'permanent')
      await expectKind(store.read('a'), 'permanent')
      await expectKind(listKeys(store, ''), 'permanent')
      await expect(store.check()).rejects.toThrow('set storage.s3.bucket')
      await store.close()
    })

    test('a server that is not there is transient', async () => {
      const store = await givenS3Store(server, { endpoint: '127.0.0.1:1', retries: 1 })
      await expectKind(store.stat('a'), 'transient')
      await expectKind(store.check(), 'transient')
      await store.close()
    })
  })
