import { expect, test } from 'vitest'
import { FormatError } from './format-error.ts'
import { hashText } from './hash.ts'
import { ShardReader } from './shard.ts'
import { givenFile, givenShard, givenXorb, givenXorbRecord, Random, type GivenXorb } from './testing.ts'
import { XorbReader } from './xorb.ts'
import { encodeIndex, decodeIndex, type XorbIndex } from './xorb-index.ts'

/** Seconds that each fuzzer runs. A soak sets more. */
const seconds = Number(process.env.ARSENAL_FUZZ_SECONDS ?? 3)
/** Where the seeds begin: set it to the one a failure names to see that again at once. */
const firstSeed = Number(process.env.ARSENAL_FUZZ_SEED ?? Date.now() % 1_000_000_000)
const budget = { timeout: (seconds + 60) * 1000 }

test('whatever happens to a xorb, it is read as one or refused', budget, () => {
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
    expect(decodeIndex(encodeIndex(outcome))).toEqual(outcome)
    const isSame = bytes.subarray(0, index.bodyBytes).equals(body.subarray(0, index.bodyBytes))
    if (isSame && outcome.n === index.n) expect(hashText(outcome.hash)).toBe(hashText(index.hash))
  })
})

test('whatever happens to a shard, it is read as one or refused', budget, () => {
  const given = new Random(72)
  const shards = Array.from({ length: 40 }, () => anyShard(given))
  fuzz((random) => {
    const bytes = spoilt(random, random.pick(shards), random.pick(shards))
    const records = Math.floor(bytes.length / 48)
    outcomeOf(() => expect(readShard(random, bytes, records)).toBeLessThanOrEqual(records))
  })
})

test('whatever happens to a stored index, it is read as one or refused', budget, () => {
  const given = new Random(73)
  const indexes = Array.from({ length: 10 }, () => encodeIndex(anyXorb(given).index))
  fuzz((random) => {
    const bytes = spoilt(random, random.pick(indexes), random.pick(indexes))
    const outcome = outcomeOf(() => decodeIndex(bytes))
    if (outcome) expect(encodeIndex(outcome).equals(bytes)).toBe(true)
  })
})

/** Runs one round after the other, each on a seed of its own, which a failure names. */
function fuzz(round: (random: Random) => void): void {
  const end = performance.now() + seconds * 1000
  for (let seed = firstSeed; performance.now() < end; seed++) {
    try {
      round(new Random(seed))
    } catch (error) {
      throw new Error(`ARSENAL_FUZZ_SEED=${seed}: ${String(error)}`, { cause: error })
    }
  }
}

/** What it answers; nothing when it refused in the one way that is allowed. */
function outcomeOf<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

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

const edges = [
  0, 1, 2, 4, 8, 0x7f, 0x80, 0xfe, 0xff, 0xffff, 0x20000, 0x7fffffff, 0x80000000, 0xc0000000, 0xffffffff,
]

/** A copy with up to six faults of the kinds that formats fear. */
function spoilt(random: Random, whole: Buffer, other: Buffer): Buffer {
  let bytes = Buffer.from(whole)
  for (let faults = random.below(6); faults > 0 && bytes.length > 8; faults--) {
    const at = random.below(bytes.length - 4)
    const length = random.below(Math.min(200, bytes.length - at))
    const kind = random.below(9)
    if (kind === 0) bytes[at] = random.below(256)
    else if (kind === 1) bytes[at]! ^= 1 << random.below(8)
    else if (kind === 2) bytes.writeUInt32LE(random.pick(edges), at)
    else if (kind === 3) bytes.writeUInt32LE(random.pick(edges), at - (at % 4))
    else if (kind === 4) bytes.writeUInt32LE((bytes.readUInt32LE(at) + random.below(9) - 4) >>> 0, at)
    else if (kind === 5) bytes = bytes.subarray(0, at)
    else if (kind === 6) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    else if (kind === 7) bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    else bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(random.below(other.length))])
  }
  return bytes
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
      expect(termsOffset).toBeLessThan(bytes.length)
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
