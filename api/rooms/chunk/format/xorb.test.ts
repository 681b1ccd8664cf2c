import { createHash } from 'node:crypto'
import { fileHash, getChunks, hashToHex, verificationHash, xorbHash } from '@huggingface/xetchunk-wasm'
import { describe, expect, test } from 'vitest'
import { fileHashOf, hashText } from './hash.ts'
import { givenXorb, Random, splitMix64, type GivenChunk } from './testing.ts'
import { XorbReader } from './xorb.ts'
import { encodeIndex, maxChunks, type XorbIndex } from './xorb-index.ts'

describe('a xorb', () => {
  test('of "Hello World!" as hf-xet sends it', () => {
    const index = read(Buffer.from('000c0000000c000048656c6c6f20576f726c6421', 'hex'))
    expect(hashText(index.hash)).toBe('d8d408e608fb9ca213b9909a65d86d725f2de4d8d540324be8a363e7a6e228cb')
    expect(index).toMatchObject({ n: 1, unpacked: 12, bodyBytes: 20, hashes: index.hash })
    expect([...index.ends, ...index.lengths]).toEqual([20, 12])
  })

  test('of a million bytes of SplitMix64, cut where both clients cut', () => {
    const plain = splitMix64(0n, 1_000_000)
    expect([plain[0], plain[127], plain[111_111]]).toEqual([175, 132, 118])
    expect(createHash('sha256').update(plain).digest('hex').startsWith('b3d0a1f7938cd4d8')).toBe(true)
    const ends = [
      84493, 134421, 144853, 243318, 271793, 336457, 467529, 494581, 582000, 596735, 616815, 653164, 678202,
      724510, 815591, 827760, 958832, 991092, 1_000_000,
    ]
    const chunks = getChunks(plain)
    expect(chunks.map(({ length }) => length)).toEqual(ends.map((end, i) => end - (ends[i - 1] ?? 0)))
    const { body } = givenXorb(ends.map((end, i) => ({ plain: plain.subarray(ends[i - 1] ?? 0, end) })))
    expect(body.length).toBe(1_000_152)
    const index = read(body)
    expect(hashText(index.hashes)).toBe('6eca1e7dadaf08cca5d82d318c800f07c2ddcec115a7e8627e5edd9605b94b8d')
    expect(hashText(index.hash)).toBe('6f2ce16ca5e317f0100ff0e7e5bf40a0de9032e9ee1ad04b6b8ff4e36cdfbf6c')
    expect(hashText(fileHashOf(index.hash))).toBe(
      '3d17b2d7d64a0e011b6717a52d9a16bd2c3f05b743fa8adf52a7d75dafab6d89',
    )
    expect(hashToHex(verificationHash(chunks.map(({ hash }) => hash)))).toBe(
      '6daf15a7ed258b91f607e8f5e6723a8564292d12c8104c156f7bad9c255a0180',
    )
  })

  test('of random files, cut and hashed by the JavaScript client, has its hash under every scheme', () => {
    const random = new Random(11)
    for (const plain of [
      random.bytes(700_000),
      random.text(900_000),
      random.floats(600_000),
      Buffer.alloc(400_000),
    ]) {
      const chunks = getChunks(plain)
      let end = 0
      const plains = chunks.map(({ length }) => plain.subarray(end, (end += length)))
      for (const scheme of [0, 1, 2]) {
        const index = read(givenXorb(plains.map((chunk) => ({ plain: chunk, scheme }))).body)
        expect(index.hash).toEqual(Buffer.from(xorbHash(chunks)))
        expect(fileHashOf(index.hash)).toEqual(Buffer.from(fileHash(chunks)))
        expect(index.unpacked).toBe(plain.length)
      }
    }
  })

  test.each([undefined, 0, 1] as const)(
    'with footer %s is the same wherever it is cut into pieces',
    (footer) => {
      const { body, index } = givenXorb(mixed(), footer)
      expect(index.bodyBytes === body.length).toBe(footer === undefined)
      const expected = encodeIndex(index)
      for (let cut = 0; cut <= body.length; cut++)
        expect(encodeIndex(read(body, [cut])).equals(expected), `cut at ${cut}`).toBe(true)
      expect(read(body, [...body.keys()])).toEqual(index)
    },
  )

  test('comes from shared memory that is used again at once', () => {
    const { body, index } = givenXorb(mixed())
    const shared = new Uint8Array(new SharedArrayBuffer(37))
    const reader = new XorbReader()
    for (let at = 0; at < body.length; at += shared.length) {
      const piece = body.subarray(at, at + shared.length)
      shared.fill(0xee)
      shared.set(piece)
      reader.push(shared.subarray(0, piece.length))
    }
    shared.fill(0xee)
    expect(reader.finish()).toEqual(index)
  })

  test('of as many chunks as may be', () => {
    const { body, index } = givenXorb(
      Array.from({ length: maxChunks }, (_, i) => ({ plain: Buffer.from([i & 0xff]) })),
    )
    expect(encodeIndex(read(body)).equals(encodeIndex(index))).toBe(true)
    expect(index.n).toBe(8192)
  })

  test('of chunks as large as may be', () => {
    const random = new Random(12)
    const plains = [random.bytes(131_072), random.text(131_072), Buffer.alloc(131_072)]
    for (const scheme of [0, 1, 2]) {
      const { body, index } = givenXorb(plains.map((plain) => ({ plain, scheme })))
      expect(read(body, [70_000, 140_000, 140_001])).toEqual(index)
    }
  })
})

/** Chunks of every scheme, short enough to try every cut. */
function mixed(): GivenChunk[] {
  const random = new Random(13)
  return [
    { plain: random.bytes(50) },
    { plain: random.text(300), scheme: 1 },
    { plain: random.floats(203), scheme: 2 },
    { plain: Buffer.from('x') },
    { plain: random.runs(500), scheme: 1, lz4: { isIndependent: false, blockBytes: 100 } },
  ]
}

/** Reads a body that comes in pieces which end at `cuts`. */
function read(body: Buffer, cuts: number[] = []): XorbIndex {
  const reader = new XorbReader()
  let start = 0
  for (const cut of [...cuts, body.length]) {
    reader.push(body.subarray(start, cut))
    start = cut
  }
  return reader.finish()
}
