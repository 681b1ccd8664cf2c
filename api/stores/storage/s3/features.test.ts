import { ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterEach, describe, expect, test, vi } from 'vitest'
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
import { S3Bucket } from './bucket.ts'
import type { S3BlobStore, S3StoreOptions } from './s3.ts'
import { givenS3Store, s3Options, s3Servers } from '../testing/s3-servers.ts'

const PART_BYTES = 5 * MIB
const dayMs = 24 * 3_600_000
const ttlS = 60

/** The address that the store gives, which it does. */
const address = async (url: Promise<string | undefined>) => (await url) ?? expect.fail('no address')

const open: S3BlobStore[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const store of open.splice(0)) {
    await deleteAll(store)
    await store.close()
  }
})

for (const server of s3Servers)
  describe(`what ${server.name} does for us`, () => {
    async function given(more: Partial<S3StoreOptions> = {}): Promise<S3BlobStore> {
      const store = await givenS3Store(server, more)
      open.push(store)
      return store
    }

    /** When the only upload below a prefix began. */
    async function beginOf(prefix: string): Promise<Date> {
      const bucket = new S3Bucket(s3Options(server.url, { prefix }))
      const { Uploads } = await bucket.client.send(new ListMultipartUploadsCommand(bucket.below('')))
      bucket.close()
      return Uploads?.[0]?.Initiated ?? expect.fail('no upload')
    }

    test.each([1, -1])(
      'a clock that jumps by %i hours and back fails no look at an object',
      async (hours) => {
        const store = await given()
        const { length } = await givenObject(store, 'a/b', givenBytes(100))
        // Requests are signed by it: the store refuses the first after each jump, and a HEAD without a word on why.
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
        expect(await store.stat('a/b')).toMatchObject({ sizeBytes: length })
        vi.useRealTimers()
        expect(await store.stat('a/b')).toMatchObject({ sizeBytes: length })
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
        expect(await store.stat('absent')).toBeUndefined()
      },
    )

    test('a presigned address serves the object with the type and name that were signed', async () => {
      const store = await given()
      const bytes = await givenObject(store, 'a/b', givenBytes(2 * MIB))
      const contentDisposition = `inline; filename*=UTF-8''x.bin; filename="x.bin";`
      // The store's client signs the first, and we all others.
      await address(store.presignGet('c', { ttlS: 1 }))
      const url = await address(
        store.presignGet('a/b', {
          ttlS,
          contentType: 'text/plain; charset=utf-8',
          contentDisposition,
        }),
      )
      const whole = await fetch(url)
      expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(whole.headers.get('content-disposition')).toBe(contentDisposition)
      expectBytes(Buffer.from(await whole.arrayBuffer()), bytes)
      const part = await fetch(url, { headers: { Range: 'bytes=5-9' } })
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(5, 10))
    })

    test('a presigned address takes an object from a client that sends no header of ours', async () => {
      const store = await given()
      const body = givenBytes(100)
      for (const key of ['a/b', 'c']) {
        const url = await address(store.direct.presignPut(key, { ttlS }))
        expect((await fetch(url, { method: 'PUT', body: Uint8Array.from(body) })).status).toBe(200)
        expectBytes(await collect(await store.read(key), MIB), body)
      }
    })

    test('presigned parts are joined by the tags that the store answered them with', async () => {
      const store = await given()
      const uploadId = await store.direct.create('a/b')
      const bodies = [givenBytes(PART_BYTES, 1), givenBytes(9, 2)]
      const parts: { n: number; etag: string }[] = []
      const urls = (await store.direct.presignParts('a/b', uploadId, bodies.length, { ttlS })) ?? []
      for (const [i, body] of bodies.entries()) {
        const answer = await fetch(urls[i] ?? '', { method: 'PUT', body: Uint8Array.from(body) })
        expect(answer.status).toBe(200)
        parts.push({ n: i + 1, etag: (answer.headers.get('etag') ?? '').replaceAll('"', '') })
      }
      expect((await store.direct.listParts('a/b', uploadId)).map(({ n, etag }) => ({ n, etag }))).toEqual(
        parts,
      )
      await store.direct.complete('a/b', uploadId, parts)
      expectBytes(await collect(await store.read('a/b'), 64 * MIB), Buffer.concat(bodies))
    })

    test('no address is given for a part of an upload of another key', async () => {
      const store = await given()
      const uploadId = await store.direct.create('a/b')
      await expectKind(store.direct.presignParts('a/c', uploadId, 1, { ttlS }), 'missing')
      await store.direct.abort('a/b', uploadId)
    })

    test('an object of many parts and unknown length comes back whole', async () => {
      const store = await given()
      const chunks = [1, 2, 3, 4].map((seed) => givenBytes(9 * MIB + seed, seed))
      await store.put('a', fromChunks(...chunks))
      expectBytes(await collect(await store.read('a'), 64 * MIB), Buffer.concat(chunks))
    })

    test('a list goes on past its first page, and leaves out what is no key of ours', async () => {
      const prefix = crypto.randomUUID()
      const store = await given({ prefix })
      const bucket = new S3Bucket(s3Options(server.url, { prefix }))
      const { Bucket, Prefix } = bucket.below('')
      const put = (name: string) =>
        bucket.client.send(new PutObjectCommand({ Bucket, Key: Prefix + name, Body: 'x' }))
      const names = Array.from({ length: 1005 }, (_, i) => `p/${i}`)
      for (let at = 0; at < names.length; at += 32) await Promise.all(names.slice(at, at + 32).map(put))
      await put('.hidden')
      await put('p/Capital')
      expect(await listKeys(store, '')).toEqual(names.toSorted())
      for (let at = 0; at < names.length; at += 32)
        await Promise.all(names.slice(at, at + 32).map((name) => store.delete(name)))
      bucket.close()
    })

    test('stores of different prefixes in one bucket do not see each other', async () => {
      const [one, other] = [await given(), await given()]
      await givenObject(one, 'a')
      expect(await listKeys(other, '')).toEqual([])
      expect(await other.stat('a')).toBeUndefined()
    })

    test('abandoned multipart uploads are swept', async () => {
      const store = await given({ now: () => new Date(Date.now() + 61 * dayMs) })
      const uploadId = await store.direct.create('a/b')
      expect(await store.sweep()).toBe(1)
      await expectKind(store.direct.listParts('a/b', uploadId), 'missing')
    })

    test('multipart uploads under way are left alone', async () => {
      const prefix = crypto.randomUUID()
      const uploadId = await (await given({ prefix })).direct.create('lfs/a')
      // By the server's clock: moto says of every upload that it began in 2010.
      const began = await beginOf(prefix)
      const store = await given({ prefix, now: () => new Date(began.getTime() + 8 * dayMs) })
      expect(await store.sweep()).toBe(0)
      await store.direct.abort('lfs/a', uploadId)
    })

    test('a check passes again and again', async () => {
      const store = await given()
      for (let i = 0; i < 2; i++) {
        await store.check()
        expect(await listKeys(store, '')).toEqual([])
      }
    })
  })
