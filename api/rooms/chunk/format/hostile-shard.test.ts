import { describe, expect, test } from 'vitest'
import { FormatError, type FormatCheck } from './format-error.ts'
import { ShardReader } from './shard.ts'
import {
  givenFile,
  givenShard,
  givenXorb,
  givenXorbRecord,
  Random,
  u32s,
  type GivenShard,
} from './testing.ts'

const random = new Random(51)
const xorb = givenXorb([{ plain: random.bytes(60) }, { plain: random.bytes(40) }])
const file = givenFile([{ xorb, start: 0, end: 2 }])
const record = givenXorbRecord(xorb)
const term = file.terms[0]!
const honest = { files: [file], xorbs: [record] }

describe('a shard is refused', () => {
  test.each(['none', 'footer', 'tables'] as const)(
    'when it is cut off at any byte, with %s behind it',
    (tail) => {
      const shard = givenShard({ ...honest, tail })
      for (let n = 0; n < shard.length; n++) refused('shard-truncated', shard.subarray(0, n), shard.length)
    },
  )

  test('when its end is missing though nothing more was announced', () => {
    const shard = givenShard({ files: [file] })
    refused('shard-truncated', shard.subarray(0, -48))
    refused('shard-truncated', shard.subarray(0, -1))
  })

  test('when more comes than was announced', () => {
    const shard = givenShard(honest)
    refused('shard-size', Buffer.concat([shard, Buffer.alloc(1)]), shard.length)
    refused('shard-size', shard, shard.length - 1)
  })

  const numbers: [string, FormatCheck, GivenShard][] = [
    ['version 1', 'shard-header', { ...honest, version: 1 }],
    ['version 3', 'shard-header', { ...honest, version: 3 }],
    ['a footer larger than itself', 'shard-header', { ...honest, footerBytes: 10_000 }],
    ['a footer of 4 GiB', 'shard-header', { ...honest, footerBytes: 0xffffffff }],
    ['a file without range hashes', 'shard-verification', withFile({ flags: 0x40000000 })],
    ['a file without any flag', 'shard-verification', withFile({ flags: 0 })],
    ['a file of unknown flags', 'shard-flags', withFile({ flags: 0xe0000000 })],
    ['a file of unknown small flags', 'shard-flags', withFile({ flags: 0xc0000001 })],
    ['more terms than a file may have', 'shard-terms', withFile({ n: 1_000_001 })],
    ['2^32 - 1 terms', 'shard-terms', withFile({ n: 0xffffffff })],
    ['2^31 terms', 'shard-terms', withFile({ n: 0x80000000 })],
    ['more terms than it has bytes for', 'shard-terms', withFile({ n: 4 })],
    ['a term that ends where it begins', 'shard-term', withTerm({ start: 1, end: 1 })],
    ['a term that ends before it begins', 'shard-term', withTerm({ start: 2, end: 1 })],
    ['a term that begins beyond 2^31', 'shard-term', withTerm({ start: 0x80000000, end: 1 })],
    ['a term that ends beyond any xorb', 'shard-term', withTerm({ end: 8193 })],
    ['a term up to 2^32 - 1', 'shard-term', withTerm({ end: 0xffffffff })],
    ['a xorb of no chunk', 'shard-xorb', withXorb({ n: 0 })],
    ['a xorb of 8193 chunks', 'shard-xorb', withXorb({ n: 8193 })],
    ['a xorb of 2^32 - 1 chunks', 'shard-xorb', withXorb({ n: 0xffffffff })],
    ['more chunks than it has bytes for', 'shard-xorb', withXorb({ n: 5 })],
    ['a xorb larger than its chunks', 'shard-chunk', withXorb({ unpacked: 101 })],
    ['a xorb smaller than its chunks', 'shard-chunk', withXorb({ unpacked: 99 })],
    ['chunks that overlap', 'shard-chunk', withChunk({ start: 59 })],
    ['chunks that leave a gap', 'shard-chunk', withChunk({ start: 61 })],
    ['a chunk out of its xorb', 'shard-chunk', withChunk({ start: 0xffffffff })],
    ['a chunk of no bytes', 'shard-chunk', withChunk({ length: 0 })],
    ['a chunk larger than may be', 'shard-chunk', withChunk({ length: 131_073 })],
  ]
  test.each(numbers)('with %s', (_, check, shard) => refused(check, givenShard(shard)))

  test('when it is something else', () => {
    refused('shard-header', random.bytes(480))
    refused('shard-header', xorb.body)
    const tag = givenShard(honest)
    tag[31]! ^= 1
    refused('shard-header', tag)
  })

  test('when a number of 64 bits says more than doubles can', () => {
    for (const at of [32, 40]) {
      const shard = givenShard(honest)
      shard.writeUInt32LE(1, at + 4)
      refused('shard-header', shard)
    }
  })
})

describe('a shard is not refused', () => {
  test('for bytes that mean nothing', () => {
    const shard = givenShard(honest)
    for (const at of [48 + 40, 3 * 48 + 32, 4 * 48 + 40, 5 * 48 + 47, 6 * 48 + 32, 7 * 48 + 40])
      u32s([0xdeadbeef]).copy(shard, at, 0, Math.min(4, 48 - (at % 48)))
    expect(() => read(shard)).not.toThrow()
  })

  test('for whatever stands behind its second end marker', () => {
    const shard = givenShard(honest)
    for (const tail of [random.bytes(5), random.bytes(10_000), Buffer.alloc(48, 0xff), shard])
      expect(() => read(Buffer.concat([shard, tail]))).not.toThrow()
  })

  test('and its visitor hears of no number that could not be', () => {
    const heard: number[] = []
    const shard = givenShard(withFile({ n: 0xffffffff }))
    const reader = new ShardReader(shard.length, { file: ({ terms }) => heard.push(terms) })
    expect(() => reader.push(shard)).toThrow(FormatError)
    expect(heard).toEqual([])
  })
})

function withFile(lie: object): GivenShard {
  return { ...honest, files: [{ ...file, ...lie }] }
}

function withTerm(lie: object): GivenShard {
  return withFile({ terms: [term, { ...term, ...lie }, term] })
}

function withXorb(lie: object): GivenShard {
  return { ...honest, xorbs: [{ ...record, ...lie }] }
}

function withChunk(lie: object): GivenShard {
  return withXorb({ chunks: [record.chunks[0]!, { ...record.chunks[1]!, ...lie }] })
}

function read(shard: Uint8Array, totalBytes = shard.length, pieceBytes = shard.length || 1): void {
  const reader = new ShardReader(totalBytes, {})
  for (let at = 0; at < shard.length; at += pieceBytes) reader.push(shard.subarray(at, at + pieceBytes))
  reader.finish()
}

/** Whether it comes whole or in pieces. */
function refused(check: FormatCheck, shard: Uint8Array, totalBytes = shard.length): void {
  for (const pieceBytes of [shard.length || 1, 31]) {
    expect(() => read(shard, totalBytes, pieceBytes)).toThrow(FormatError)
    expect(() => read(shard, totalBytes, pieceBytes)).toThrow(expect.objectContaining({ check }))
  }
}
