import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../core/ctx.ts'
import { codeOf } from '../../core/lfs/testing.ts'
import { fromChunks, type ByteSource } from '../../stores/storage/index.ts'
import { MemoryBlobStore } from '../../stores/storage/testing/memory.ts'
import { eachDatabase, testConfig } from '../../testing.ts'
import { acceptShard, MAX_SHARD_BYTES } from './accept-shard.ts'
import { hashText } from './format/index.ts'
import { givenShard, givenXorb, givenXorbRecord, type GivenXorb } from './format/testing.ts'
import {
  fileOf,
  freshXorb,
  givenSender,
  refusal,
  traces,
  wholeFile,
  work,
  type Sender,
  type WholeFile,
} from './testing/sender.ts'
import { tasksUnderWay } from './threads/pool.ts'

eachDatabase('a shard that is refused', (world) => {
  let sender: Sender
  let xorb: GivenXorb
  let file: WholeFile
  let before: Awaited<ReturnType<typeof traces>>
  beforeAll(async () => {
    sender = await givenSender(world)
  })
  beforeEach(async () => {
    xorb = freshXorb()
    file = wholeFile(xorb)
    await sender.put(xorb)
    before = await traces(world)
  })
  const untouched = async () => {
    expect(await traces(world)).toEqual(before)
    expect(tasksUnderWay()).toBe(0)
  }
  const refused = (shard: Buffer, ctx?: Ctx) => refusal(sender.accept(shard, ctx))
  const [term] = [() => file.terms[0] ?? expect.fail('no term')]
  const nameOf = () => hashText(Buffer.from(file.hash))
  const other = Buffer.alloc(32, 7)

  describe('for a hash that is wrong', () => {
    test('of the file', async () => {
      const [code, detail] = await refused(givenShard({ files: [{ ...file, hash: other }] }))
      expect(code).toBe('invalid-request')
      expect(detail).toContain(`the chunks of file ${hashText(other)} have the hash ${nameOf()}`)
      await untouched()
    })

    test('of a range', async () => {
      const terms = [{ ...term(), rangeHash: other }]
      const [code, detail] = await refused(givenShard({ files: [{ ...file, terms }] }))
      expect(code).toBe('invalid-request')
      expect(detail).toContain(`file ${nameOf()}, term 0: its range hash is wrong`)
      await untouched()
    })

    test('of the last of many ranges', async () => {
      const many = fileOf(Array.from({ length: 9 }, (_, i) => ({ xorb, start: i % 3, end: (i % 3) + 1 })))
      const terms = many.terms.map((one, i) => (i === 8 ? { ...one, rangeHash: other } : one))
      const [, detail] = await refused(givenShard({ files: [{ ...many, terms }] }))
      expect(detail).toContain('term 8: its range hash is wrong')
      await untouched()
    })

    test('of a xorb', async () => {
      const [code, detail] = await refused(
        givenShard({ files: [{ ...file, terms: [{ ...term(), xorb: other }] }] }),
      )
      expect(code).toBe('invalid-request')
      expect(detail).toContain(`names the chunk container ${hashText(other)}`)
      await untouched()
    })
  })

  describe('for a term that cannot be', () => {
    test.each([
      ['more chunks than the xorb has', { end: 4 }, /has 3 chunks, not 4/],
      ['as many chunks as a number can tell', { end: 0xffffffff }, /from 0 to 4294967295/],
      ['no chunk', { start: 1, end: 1 }, /from 1 to 1/],
      ['an end before its start', { start: 2, end: 1 }, /from 2 to 1/],
      ['another number of bytes', { unpacked: 15_999 }, /its chunks have 16000 bytes, not 15999/],
      ['no byte', { unpacked: 0 }, /its chunks have 16000 bytes, not 0/],
    ])('%s', async (_, lie, why) => {
      const [code, detail] = await refused(
        givenShard({ files: [{ ...file, terms: [{ ...term(), ...lie }] }] }),
      )
      expect(code).toBe('invalid-request')
      expect(detail).toMatch(why)
      await untouched()
    })

    test('a million chunks of one byte', async () => {
      const tiny = givenXorb(Array.from({ length: 8192 }, () => ({ plain: Buffer.from('a') })))
      await sender.put(tiny)
      before = await traces(world)
      const many = fileOf(Array.from({ length: 2 }, () => ({ xorb: tiny, start: 0, end: 8192 })))
      const [code, detail] = await refused(givenShard({ files: [many] }))
      expect(code).toBe('invalid-request')
      expect(detail).toMatch(/file [\da-f]{64} of 16384 bytes is cut into 16384 chunks/)
      await untouched()
    })
  })

  describe('for records that lie about a xorb', () => {
    const record = () => givenXorbRecord(xorb)
    test('another chunk', async () => {
      const [first, ...rest] = record().chunks
      const chunks = [{ ...(first ?? expect.fail('no chunk')), hash: other }, ...rest]
      const [code, detail] = await refused(givenShard({ files: [file], xorbs: [{ ...record(), chunks }] }))
      expect(code).toBe('invalid-request')
      expect(detail).toContain(hashText(xorb.index.hash))
      await untouched()
    })

    test('fewer chunks', async () => {
      const chunks = record().chunks.slice(0, 2)
      const lie = { ...record(), chunks, unpacked: 14_000 }
      expect((await refused(givenShard({ files: [file], xorbs: [lie] })))[0]).toBe('invalid-request')
      await untouched()
    })

    test('other lengths', async () => {
      const [a, b, c] = record().chunks.map(({ hash }) => hash)
      const lie = {
        ...record(),
        chunks: [
          { hash: a ?? other, start: 0, length: 5000 },
          { hash: b ?? other, start: 5000, length: 9000 },
          { hash: c ?? other, start: 14_000, length: 2000 },
        ],
      }
      expect((await refused(givenShard({ files: [file], xorbs: [lie] })))[0]).toBe('invalid-request')
      await untouched()
    })

    test('a xorb that was never sent', async () => {
      const stranger = freshXorb()
      const [, detail] = await refused(givenShard({ files: [file], xorbs: [givenXorbRecord(stranger)] }))
      expect(detail).toContain(hashText(stranger.index.hash))
      await untouched()
    })
  })

  describe('for bytes that are no shard', () => {
    const whole = () => givenShard({ files: [file], xorbs: [givenXorbRecord(xorb)] })
    test.each<[string, () => Buffer]>([
      ['nothing', () => Buffer.alloc(0)],
      ['half a header', () => whole().subarray(0, 24)],
      ['another tag', () => Buffer.concat([Buffer.alloc(48), whole().subarray(48)])],
      ['another version', () => givenShard({ files: [file], version: 3 })],
      ['its last record missing', () => whole().subarray(0, -48)],
      ['its last byte missing', () => whole().subarray(0, -1)],
      ['its range hashes missing', () => givenShard({ files: [{ ...file, flags: 0x40000000 }] })],
      ['unknown flags', () => givenShard({ files: [{ ...file, flags: 0xe0000000 }] })],
      [
        'a number of terms that fills four billion records',
        () => givenShard({ files: [{ ...file, n: 0xffffffff }] }),
      ],
      ['one term more than there are', () => givenShard({ files: [{ ...file, n: 2 }] })],
      ['a footer longer than the shard', () => givenShard({ files: [file], footerBytes: 100_000 })],
      [
        'more chunks of a xorb than any has',
        () => givenShard({ xorbs: [{ ...givenXorbRecord(xorb), n: 8193 }] }),
      ],
      ['random bytes', () => Buffer.concat([whole().subarray(0, 48), freshXorb().body])],
    ])('%s', async (_, shard) => {
      const [code, detail] = await refused(shard())
      expect(code).toBe('invalid-request')
      expect(detail).toMatch(/^The upload's manifest is not acceptable: .+|^The upload names/)
      await untouched()
    })

    test('cut off at any record', async () => {
      for (let end = 0; end < whole().length; end += 48)
        expect((await refused(whole().subarray(0, end)))[0]).toBe('invalid-request')
      await untouched()
    })
  })

  describe('for its size', () => {
    const limitedTo = (max_file_size: number): Ctx => ({
      ...sender.ctx(),
      config: testConfig(world.dir, { chunk: { max_file_size } }),
    })
    /** Files of 5000 bytes each, which differ in the order of their chunks. */
    const five = (n: number) => {
      const pieces = freshXorb([1000, 1001, 1002, 1003, 994])
      const orders = [0, 1, 2, 3, 4].map((first) => [0, 1, 2, 3, 4].map((i) => (i + first) % 5))
      const files = orders
        .slice(0, n)
        .map((order) => fileOf(order.map((start) => ({ xorb: pieces, start, end: start + 1 }))))
      return { pieces, files }
    }

    test('a file above chunk.max_file_size, whatever its terms turn out to be', async () => {
      const [code, detail] = await refused(givenShard({ files: [file] }), limitedTo(15_999))
      expect(code).toBe('file-too-large')
      expect(detail).toBe('A file of this upload has 16000 bytes; chunk.max_file_size allows 15999.')
      await untouched()
      expect((await sender.accept(givenShard({ files: [file] }), limitedTo(16_000))).isDone).toBe(false)
    })

    test('files that are more than four times that together', async () => {
      const { pieces, files } = five(5)
      await sender.put(pieces)
      before = await traces(world)
      const [code, detail] = await refused(givenShard({ files }), limitedTo(6249))
      expect(code).toBe('file-too-large')
      expect(detail).toContain('more than 24996 bytes, four times chunk.max_file_size')
      await untouched()
      expect((await sender.accept(givenShard({ files }), limitedTo(6250))).isDone).toBe(false)
    })

    test('files that were uploaded before do not count', async () => {
      const { pieces, files } = five(5)
      await sender.put(pieces)
      await sender.describe(files.slice(0, 1))
      await work(world)
      expect((await sender.accept(givenShard({ files }), limitedTo(5000))).isDone).toBe(false)
    })

    test('a file that is described again and again counts once', async () => {
      const files = Array.from({ length: 6 }, () => file)
      expect((await sender.accept(givenShard({ files }), limitedTo(16_000))).isDone).toBe(false)
    })

    test('more than 20000 files', async () => {
      const empty = { hash: Buffer.alloc(32), terms: [] }
      const files = Array.from({ length: 20_001 }, (_, i) => {
        const sha256 = Buffer.alloc(32)
        sha256.writeUInt32LE(i)
        return { ...empty, sha256 }
      })
      const [code, detail] = await refused(givenShard({ files }))
      expect([code, detail]).toEqual([
        'invalid-request',
        "The upload's manifest describes more than 20000 files.",
      ])
      await untouched()
    })

    test('a body above 128 MiB, announced or not', async () => {
      const announced = acceptShard(sender.ctx(), sender.writer, fromChunks(), MAX_SHARD_BYTES + 1)
      expect(await codeOf(announced)).toBe('body-too-large')
      const mebibyte = Buffer.alloc(1024 * 1024)
      const endless = (async function* () {
        for (;;) yield mebibyte
      })()
      const blobs = new Bottomless()
      expect(await codeOf(acceptShard({ ...sender.ctx(), blobs }, sender.writer, endless))).toBe(
        'body-too-large',
      )
      await untouched()
    })
  })

  test('for a client that breaks off', async () => {
    const shard = givenShard({ files: [file] })
    for (const at of [0, 48, 100, shard.length]) {
      const gone = new Error('the client has gone')
      const source = (async function* () {
        yield shard.subarray(0, at)
        throw gone
      })()
      await expect(acceptShard(sender.ctx(), sender.writer, source)).rejects.toBe(gone)
    }
    await untouched()
  })
})

/** Keeps nothing of what it is given, which memory would. */
class Bottomless extends MemoryBlobStore {
  override async put(key: string, source: ByteSource) {
    let sizeBytes = 0
    for await (const chunk of source) sizeBytes += chunk.length
    return { key, sizeBytes, modifiedAt: new Date() }
  }
}
