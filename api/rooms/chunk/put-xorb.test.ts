import { beforeAll, describe, expect, test, vi } from 'vitest'
import { codeOf, overFaulty, storedKeys } from '../../core/lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import { decodeIndex, hashText } from './format/index.ts'
import { givenXorb, Random, rawChunk, type GivenXorb } from './format/testing.ts'
import { hasXorb, MAX_XORB_BYTES, putXorb } from './put-xorb.ts'
import { findXorb } from './queries.ts'
import { readIndex } from './xorb-index.ts'
import { freshXorb, givenSender, refusal, traces, type Sender } from './testing/sender.ts'
import { tasksUnderWay } from './threads/pool.ts'

const random = new Random(1)
const hashOf = ({ index }: GivenXorb) => hashText(index.hash)

eachDatabase('put a xorb', (world) => {
  let sender: Sender
  beforeAll(async () => {
    sender = await givenSender(world)
  })

  describe('what is kept', () => {
    const text = random.text(100_000)
    const floats = random.floats(90_000)
    test.each([
      ['chunks as they are', givenXorb([{ plain: random.bytes(70_000) }, { plain: random.bytes(9) }])],
      ['LZ4', givenXorb([{ plain: text, scheme: 1 }])],
      [
        'LZ4 in dependent blocks',
        givenXorb([{ plain: random.text(100_000), scheme: 1, lz4: { isIndependent: false } }]),
      ],
      ['grouped LZ4', givenXorb([{ plain: floats, scheme: 2 }])],
      ['all schemes', givenXorb([0, 1, 2].map((scheme) => ({ plain: random.text(9000 + scheme), scheme })))],
      ['a footer', givenXorb([{ plain: random.bytes(10_000) }, { plain: random.bytes(10_000) }], 1)],
      ['an early footer', givenXorb([{ plain: random.bytes(10_000) }], 0)],
      ['one byte', givenXorb([{ plain: Buffer.from('!') }])],
      [
        'more chunks than one piece',
        givenXorb(Array.from({ length: 70 }, () => ({ plain: random.bytes(9000) }))),
      ],
    ])('a xorb with %s is stored as it came, with the index of its chunks', async (_, xorb) => {
      expect(await sender.put(xorb)).toEqual({ wasInserted: true })
      const row = (await findXorb(world.db, hashOf(xorb))) ?? expect.fail('no row')
      expect(row).toMatchObject({
        body_size: xorb.body.length,
        unpacked: xorb.index.unpacked,
        n: xorb.index.n,
      })
      const stored: Uint8Array[] = []
      for await (const chunk of await world.blobs.read(row.key)) stored.push(chunk)
      expect(Buffer.concat(stored).equals(xorb.body)).toBe(true)
      expect(decodeIndex(await readIndex(world, row))).toEqual(xorb.index)
      expect(tasksUnderWay()).toBe(0)
    })

    test('the pieces it arrives in do not matter', async () => {
      const xorb = freshXorb([30_000, 1, 40_000])
      for (const size of [1, 7, 8191])
        await putXorb(sender.ctx(), sender.writer, hashOf(xorb), inPieces(xorb.body, size))
      expect(await hasXorb(sender.ctx(), sender.writer, hashOf(xorb))).toBe(true)
    })
  })

  describe('who has it', () => {
    // Second copies are deleted behind the answer.
    const keysOf = async (xorb: GivenXorb) =>
      (await storedKeys(world, 'xorbs/')).filter((key) => key.includes(hashOf(xorb)))

    test('sent again it is no longer new, and is stored once', async () => {
      const xorb = freshXorb()
      await sender.put(xorb)
      const before = await traces(world)
      expect(await sender.put(xorb)).toEqual({ wasInserted: false })
      expect(await traces(world)).toEqual(before)
    })

    test('it is new to everybody who sends it for the first time, and only theirs then', async () => {
      const xorb = freshXorb()
      const other = await givenSender(world)
      const has = () => hasXorb(other.ctx(), other.writer, hashOf(xorb))
      await sender.put(xorb)
      expect(await has()).toBe(false)
      expect(await other.put(xorb)).toEqual({ wasInserted: true })
      expect(await has()).toBe(true)
      await expect.poll(() => keysOf(xorb)).toHaveLength(2)
    })

    test('a hash alone proves nothing: the whole xorb must come, also when it is stored', async () => {
      const xorb = freshXorb()
      const other = await givenSender(world)
      await sender.put(xorb)
      for (const body of [Buffer.alloc(0), xorb.body.subarray(0, -1), freshXorb().body]) {
        const [code, detail] = await refusal(other.put({ ...xorb, body }))
        expect(code).toBe('invalid-request')
        expect(detail).toContain(hashOf(xorb))
      }
      expect(await hasXorb(other.ctx(), other.writer, hashOf(xorb))).toBe(false)
    })

    test('sent by several at the same time it is stored once, and theirs all', async () => {
      const xorb = freshXorb()
      const others = await Promise.all(Array.from({ length: 4 }, () => givenSender(world)))
      const answers = await Promise.all([sender, sender, ...others].map((one) => one.put(xorb)))
      expect(answers.filter(({ wasInserted }) => wasInserted)).toHaveLength(5)
      await expect.poll(() => keysOf(xorb)).toHaveLength(2)
    })
  })

  describe('what is refused', () => {
    const plain = random.text(20_000)
    const packed = givenXorb([{ plain, scheme: 1 }])
    const flipped = (xorb: GivenXorb, at: number) => {
      const body = Buffer.from(xorb.body)
      body[at] = (body[at] ?? 0) ^ 1
      return { ...xorb, body }
    }
    const raw = freshXorb()
    const bodies: [string, GivenXorb, RegExp][] = [
      [
        'another body than its hash says',
        { ...raw, body: freshXorb().body },
        /its bytes have the hash [\da-f]{64}/,
      ],
      ['one bit of a chunk turned', flipped(raw, 100), /its bytes have the hash/],
      ['one bit of a packed chunk turned', flipped(packed, 200), /./],
      ['no chunk', { ...raw, body: Buffer.alloc(0) }, /no chunk/],
      ['its end missing', { ...raw, body: raw.body.subarray(0, -1) }, /cut off/],
      ['half a header', { ...raw, body: raw.body.subarray(0, raw.body.length - 2003) }, /cut off/],
      ['bytes after its end', { ...raw, body: Buffer.concat([raw.body, Buffer.alloc(3)]) }, /cut off/],
      ['bytes after its footer', withMore(givenXorb([{ plain }], 1)), /follow the footer/],
      ['an unknown version', { ...raw, body: rawChunk(0, 9, Buffer.alloc(9), { version: 1 }) }, /version/],
      ['an unknown scheme', { ...raw, body: rawChunk(99, 9, Buffer.alloc(8)) }, /scheme 99/],
      ['an empty chunk', { ...raw, body: rawChunk(0, 0, Buffer.alloc(0)) }, /0 plain bytes/],
      [
        'a chunk too long',
        { ...raw, body: rawChunk(0, 131_073, Buffer.alloc(131_073)) },
        /131073 plain bytes/,
      ],
      ['a decompression bomb', { ...raw, body: rawChunk(1, 9000, bomb()) }, /./],
      ['no LZ4 where it says so', { ...raw, body: rawChunk(1, 9000, random.bytes(500)) }, /./],
    ]
    // Second copies of the tests before are deleted behind the answer.
    beforeAll(() =>
      vi.waitFor(async () => expect((await traces(world)).deletions).toBe(0), { timeout: 30_000 }),
    )
    test.each(bodies)('%s', async (_, xorb, why) => {
      const before = await traces(world)
      const [code, detail] = await refusal(sender.put(xorb))
      expect(code).toBe('invalid-request')
      expect(detail).toContain(`The chunk container ${hashOf(xorb)} is not acceptable`)
      expect(detail).toMatch(why)
      expect(await traces(world)).toEqual(before)
      expect(tasksUnderWay()).toBe(0)
    })

    test('8193 chunks', async () => {
      const body = Buffer.concat(Array.from({ length: 8193 }, () => rawChunk(0, 1, Buffer.from('a'))))
      const [code, detail] = await refusal(sender.put({ ...raw, body }))
      expect([code, detail]).toEqual(['invalid-request', expect.stringContaining('8192')])
    })

    test('more bytes than any xorb has, announced: none is read', async () => {
      let isRead = false
      const source = (async function* () {
        isRead = true
        yield Buffer.alloc(1)
      })()
      const put = putXorb(sender.ctx(), sender.writer, hashOf(raw), source, MAX_XORB_BYTES + 1)
      expect((await refusal(put))[0]).toBe('body-too-large')
      expect(isRead).toBe(false)
    })

    test('more bytes than any xorb has, unannounced', async () => {
      const before = await traces(world)
      const chunk = rawChunk(0, 131_072, random.bytes(131_072))
      const endless = (async function* () {
        for (;;) yield chunk
      })()
      const put = putXorb(sender.ctx(), sender.writer, hashOf(raw), endless)
      expect(await codeOf(put)).toBe('body-too-large')
      expect(await traces(world)).toEqual(before)
      expect(tasksUnderWay()).toBe(0)
    })
  })

  describe('what breaks off', () => {
    test('a client that goes away leaves nothing, wherever it was', async () => {
      const before = await traces(world)
      const xorb = freshXorb([90_000, 90_000])
      for (const at of [0, 5, 1000, 100_000, xorb.body.length]) {
        const gone = new Error('the client has gone')
        const source = (async function* () {
          yield xorb.body.subarray(0, at)
          throw gone
        })()
        await expect(putXorb(sender.ctx(), sender.writer, hashOf(xorb), source)).rejects.toBe(gone)
      }
      expect(await traces(world)).toEqual(before)
      expect(tasksUnderWay()).toBe(0)
      expect(await sender.put(xorb)).toEqual({ wasInserted: true })
    })

    test('a store that fails at any step makes no false success and can be tried again', async () => {
      for (const type of ['before', 'after'] as const)
        for (const kind of ['transient', 'full'] as const)
          for (let n = 1, isHit = true; isHit; n++) {
            const xorb = freshXorb()
            const before = await traces(world)
            isHit = false
            const faulty = overFaulty(sender.ctx(), (io) => {
              if (io.n !== n) return undefined
              isHit = true
              return { type, kind }
            })
            const outcome = await codeOf(sender.put(xorb, faulty))
            if (outcome !== 'ok') {
              expect(outcome).toBe(`store: ${kind}`)
              expect({ ...(await traces(world)), keys: [], deletions: 0 }).toEqual({
                ...before,
                keys: [],
                deletions: 0,
              })
            }
            expect(await sender.put(xorb)).toEqual({ wasInserted: outcome !== 'ok' })
            expect(await hasXorb(sender.ctx(), sender.writer, hashOf(xorb))).toBe(true)
          }
      expect(tasksUnderWay()).toBe(0)
    })
  })
})

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const withMore = (xorb: GivenXorb) => ({ ...xorb, body: Buffer.concat([xorb.body, Buffer.from('more')]) })

/** An LZ4 frame whose one block goes on for a quarter megabyte. */
function bomb(): Buffer {
  const sequence = Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), Buffer.alloc(1000, 255), Buffer.from([0])])
  const word = Buffer.alloc(4)
  word.writeUInt32LE(sequence.length)
  const header = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82])
  return Buffer.concat([header, word, sequence, Buffer.alloc(4)])
}
