import { expect, test } from 'vitest'
import { hashText } from './hash.ts'
import { ShardReader } from './shard.ts'
import { fuzz, fuzzBudget, outcomeOf, spoilt } from './testing/fuzz.ts'
import { givenFile, givenShard, givenXorb, givenXorbRecord, Random, type GivenXorb } from './testing.ts'
import { XorbReader } from './xorb.ts'
import { encodeIndex, decodeIndex, type XorbIndex } from './xorb-index.ts'

test('whatever happens to a xorb, it is read as one or refused', fuzzBudget, () => {
  const given = new Random(71)
  const xorbs = Array.from({ length: 40 }, () => anyXorb(given))
  fuzz((random) => {
    const { body, index } = random.pick(xorbs)
    const bytes = spoilt(random, body, random.pick(xorbs).body)
    const outcome = outcomeOf(() => readXorb(random, bytes))
    if (outcome === undefined) return
    // It may be another xorb than before, but never one that is larger than its bytes could make it.
    expect(outcome.bodyBytes).toBeLessThanOrEqual(bytes.length)
    expect(outcome.unpacked).toBeLessThanOrEqual(outcome.n * 131_072)
    expect(outcome.hashes.length + outcome.lengths.byteLength + outcome.ends.byteLength).toBe(40 * outcome.n)
    expect(decodeIndex(encodeIndex(outcome)).hash.equals(outcome.hash)).toBe(true)
    const isSame = bytes.subarray(0, index.bodyBytes).equals(body.subarray(0, index.bodyBytes))
    if (isSame && outcome.n === index.n) expect(hashText(outcome.hash)).toBe(hashText(index.hash))
  })
})

test('whatever happens to a shard, it is read as one or refused', fuzzBudget, () => {
  const given = new Random(72)
  const shards = Array.from({ length: 40 }, () => anyShard(given))
  fuzz((random) => {
    const bytes = spoilt(random, random.pick(shards), random.pick(shards))
    const records = Math.floor(bytes.length / 48)
    outcomeOf(() => expect(readShard(random, bytes, records)).toBeLessThanOrEqual(records))
  })
})

test('whatever happens to a stored index, it is read as one or refused', fuzzBudget, () => {
  const given = new Random(73)
  const indexes = Array.from({ length: 10 }, () => encodeIndex(anyXorb(given).index))
  fuzz((random) => {
    const bytes = spoilt(random, random.pick(indexes), random.pick(indexes))
    const outcome = outcomeOf(() => decodeIndex(bytes))
    if (outcome) expect(encodeIndex(outcome).equals(bytes)).toBe(true)
  })
})

function anyXorb(random: Random): GivenXorb {
  const chunks = Array.from({ length: 1 + random.below(8) }, () => {
    const n = 1 + random.below(random.pick([10, 300, 3000]))
    const plain = random.pick([random.text(n), random.bytes(n), random.floats(n), random.runs(n)])
    const lz4 = {
      blockBytes: 20 + random.below(500),
      isIndependent: random.below(2) === 0,
      stored: random.pick(['always', 'never', 'larger'] as const),
      hasSize: random.below(4) === 0,
      hasSums: random.below(4) === 0,
    }
    return { plain, scheme: random.below(3), lz4 }
  })
  return givenXorb(chunks, random.pick([undefined, undefined, 0, 1]))
}

function anyShard(random: Random): Buffer {
  const xorbs = Array.from({ length: 1 + random.below(3) }, () => anyXorb(random))
  const files = Array.from({ length: random.below(4) }, () => {
    const runs = Array.from({ length: random.below(4) }, () => {
      const xorb = random.pick(xorbs)
      const start = random.below(xorb.index.n)
      return { xorb, start, end: start + 1 + random.below(xorb.index.n - start) }
    })
    const { sha256, ...file } = givenFile(runs)
    return random.below(3) === 0 ? file : { ...file, sha256 }
  })
  const tail = random.pick(['none', 'footer', 'tables'] as const)
  return givenShard({ files, xorbs: random.below(3) === 0 ? [] : xorbs.map(givenXorbRecord), tail })
}

function readXorb(random: Random, bytes: Buffer): XorbIndex {
  const reader = new XorbReader()
  for (const piece of pieces(random, bytes)) reader.push(piece)
  return reader.finish()
}

/** How many records the visitor heard of; each must fit into what was sent. */
function readShard(random: Random, bytes: Buffer, records: number): number {
  let heard = 0
  const reader = new ShardReader(random.below(8) === 0 ? random.below(bytes.length + 100) : bytes.length, {
    file: ({ terms, termsOffset }) => {
      expect(terms).toBeLessThanOrEqual(records)
      expect(termsOffset).toBeLessThanOrEqual(bytes.length)
      heard++
    },
    term: ({ start, end }) => {
      expect(start < end && end <= 8192).toBe(true)
      heard++
    },
    rangeHash: () => heard++,
    sha256: () => heard++,
    xorb: ({ n }) => {
      expect(n).toBeLessThanOrEqual(records)
      heard++
    },
    chunk: () => heard++,
  })
  for (const piece of pieces(random, bytes)) reader.push(piece)
  reader.finish()
  return heard
}

function* pieces(random: Random, bytes: Buffer): Generator<Buffer> {
  const most = random.pick([7, 50, 1000, 1_000_000])
  for (let at = 0; at < bytes.length;) {
    const length = 1 + random.below(most)
    yield bytes.subarray(at, at + length)
    at += length
  }
}
