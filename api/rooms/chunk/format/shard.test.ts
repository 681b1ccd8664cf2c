import { describe, expect, test } from 'vitest'
import { hashText } from './hash.ts'
import { ShardReader } from './shard.ts'
import { termAt } from './shard-records.ts'
import { givenFile, givenShard, givenXorb, givenXorbRecord, Random, splitMix64 } from './testing.ts'

/** What hf-xet 1.6.0 sends for "Hello World!". */
const hello = Buffer.from(
  `48465265706f4d6574614461746100556967456a7b815783a5bdd95ccdd14aa902000000000000000000000000000000
   bd60b088ade0daa9b195cfbd7ac8e7d74f6db014045ac9326571b887d268eb6b000000c0010000000000000000000000
   a29cfb08e608d4d8726dd8659a90b9134b3240d5d8e42d5fcb28e2a6e763a3e8000000000c0000000000000001000000
   4ccb988e4563cb8923b7a7a5506bbe7592e648535df0824b2b86c35daf1ab75f00000000000000000000000000000000
   53fcf17f65b1837f5dd6a14881c12db92877d6a31f4b2dfc69906d1200d2dd4a00000000000000000000000000000000
   ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00000000000000000000000000000000
   a29cfb08e608d4d8726dd8659a90b9134b3240d5d8e42d5fcb28e2a6e763a3e800000000010000000c00000000000000
   a29cfb08e608d4d8726dd8659a90b9134b3240d5d8e42d5fcb28e2a6e763a3e8000000000c0000000000000000000000
   ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00000000000000000000000000000000`.replaceAll(
    /\s/g,
    '',
  ),
  'hex',
)
const helloTold = [
  'file a9dae0ad88b060bdd7e7c87abdcf95b132c95a0414b06d4f6beb68d287b87165 of 1 at 96, hashed',
  'term 0 d8d408e608fb9ca213b9909a65d86d725f2de4d8d540324be8a363e7a6e228cb 0-1 = 12',
  'range 0 89cb63458e98cb4c75be6b50a5a7b7234b82f05d5348e6925fb71aaf5dc3862b',
  'sha256 7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069',
  'file end',
  'xorb d8d408e608fb9ca213b9909a65d86d725f2de4d8d540324be8a363e7a6e228cb of 1 = 12',
  'chunk 0 d8d408e608fb9ca213b9909a65d86d725f2de4d8d540324be8a363e7a6e228cb 0 + 12',
]

describe('a shard', () => {
  test('of "Hello World!" as hf-xet sends it, wherever it is cut into pieces', () => {
    expect(told(hello)).toEqual(helloTold)
    for (let cut = 0; cut <= hello.length; cut++) expect(told(hello, [cut])).toEqual(helloTold)
    expect(told(hello, [...hello.keys()])).toEqual(helloTold)
  })

  test('is written by our own writer as by hf-xet', () => {
    const xorb = givenXorb([{ plain: Buffer.from('Hello World!') }])
    const file = givenFile([{ xorb, start: 0, end: 1 }])
    expect(givenShard({ files: [file], xorbs: [givenXorbRecord(xorb)] }).equals(hello)).toBe(true)
  })

  test('of the million bytes has the published size and hashes', () => {
    const plain = splitMix64(0n, 1_000_000)
    const ends = [
      84493, 134421, 144853, 243318, 271793, 336457, 467529, 494581, 582000, 596735, 616815, 653164, 678202,
    ]
    ends.push(724510, 815591, 827760, 958832, 991092, 1_000_000)
    const xorb = givenXorb(ends.map((end, i) => ({ plain: plain.subarray(ends[i - 1] ?? 0, end) })))
    const file = givenFile([{ xorb, start: 0, end: 19 }])
    const shard = givenShard({ files: [file], xorbs: [givenXorbRecord(xorb)] })
    expect(shard.length).toBe(1296)
    const lines = told(shard)
    expect(lines[0]).toContain('file 3d17b2d7d64a0e011b6717a52d9a16bd2c3f05b743fa8adf52a7d75dafab6d89 of 1')
    expect(lines[2]).toBe('range 0 6daf15a7ed258b91f607e8f5e6723a8564292d12c8104c156f7bad9c255a0180')
    expect(lines.filter((line) => line.startsWith('chunk'))).toHaveLength(19)
  })

  test.each(['none', 'footer', 'tables'] as const)('with %s behind its records tells the same', (tail) => {
    const shard = givenShard({ ...several(), tail })
    const expected = told(givenShard(several()))
    expect(expected).toHaveLength(7 + 3 + 4 + 2 + 3)
    for (let cut = 0; cut <= shard.length; cut++) expect(told(shard, [cut])).toEqual(expected)
  })

  test('that names only xorbs sent before has none of its own', () => {
    const { files } = several()
    const shard = givenShard({ files: files.slice(0, 1) })
    expect(shard.length).toBe(48 * (1 + 1 + 2 * 2 + 1 + 1 + 1))
    expect(told(shard).some((line) => line.startsWith('xorb'))).toBe(false)
  })

  test('of nothing at all', () => expect(told(givenShard({}))).toEqual([]))

  test('says where the terms of a file lie, which can then be read alone', () => {
    const shard = givenShard(several())
    const offsets: number[] = []
    const hashes: string[] = []
    const reader = new ShardReader(shard.length, {
      file: ({ terms, termsOffset }) => {
        if (terms > 0) offsets.push(termsOffset)
      },
      term: ({ xorb }, position) => {
        if (position === 0) hashes.push(hashText(xorb))
      },
    })
    reader.push(shard)
    reader.finish()
    expect(offsets.map((at) => hashText(termAt(shard, at).xorb))).toEqual(hashes)
    expect(offsets).toHaveLength(2)
  })

  test('of 3 MB of zeros names one chunk 22 times', () => {
    const xorb = givenXorb([{ plain: Buffer.alloc(131_072), scheme: 1 }])
    const file = givenFile(Array.from({ length: 22 }, () => ({ xorb, start: 0, end: 1 })))
    const lines = told(givenShard({ files: [file], xorbs: [givenXorbRecord(xorb)] }))
    expect(lines.filter((line) => line.startsWith('term'))).toHaveLength(22)
    expect(lines.filter((line) => line.startsWith('range'))).toHaveLength(22)
  })
})

/** Files with and without SHA-256, an empty one, and two xorbs. */
function several() {
  const random = new Random(41)
  const xorbs = [1, 2].map((n) => givenXorb(Array.from({ length: n }, () => ({ plain: random.bytes(40) }))))
  const [one, two] = [xorbs[0]!, xorbs[1]!]
  const hashed = givenFile([
    { xorb: one, start: 0, end: 1 },
    { xorb: two, start: 1, end: 2 },
  ])
  const skipped = { ...givenFile([{ xorb: two, start: 0, end: 2 }]), sha256: undefined }
  return { files: [hashed, givenFile([]), skipped], xorbs: xorbs.map(givenXorbRecord) }
}

/** What a visitor hears of a shard that comes in pieces which end at `cuts`. */
function told(shard: Buffer, cuts: number[] = []): string[] {
  const lines: string[] = []
  const reader = new ShardReader(shard.length, {
    file: ({ hash, terms, termsOffset, hasSha256 }) =>
      lines.push(
        `file ${hashText(hash)} of ${terms} at ${termsOffset}, ${hasSha256 ? 'hashed' : 'not hashed'}`,
      ),
    term: ({ xorb, unpacked, start, end }, i) =>
      lines.push(`term ${i} ${hashText(xorb)} ${start}-${end} = ${unpacked}`),
    rangeHash: (hash, i) => lines.push(`range ${i} ${hashText(hash)}`),
    sha256: (digest) => lines.push(`sha256 ${digest.toString('hex')}`),
    fileEnd: () => lines.push('file end'),
    xorb: ({ hash, n, unpacked }) => lines.push(`xorb ${hashText(hash)} of ${n} = ${unpacked}`),
    chunk: ({ hash, start, length }, i) => lines.push(`chunk ${i} ${hashText(hash)} ${start} + ${length}`),
  })
  let start = 0
  for (const cut of [...cuts, shard.length]) {
    reader.push(shard.subarray(start, cut))
    start = cut
  }
  reader.finish()
  return lines
}
