import { FormatError } from '../format-error.ts'
import { Random } from './random.ts'

/** Seconds that each fuzzer runs. A soak sets more. */
const seconds = Number(process.env.ARSENAL_FUZZ_SECONDS ?? 3)
/** Where the seeds begin: set it to the one a failure names to see that again at once. */
const firstSeed = Number(process.env.ARSENAL_FUZZ_SEED ?? Date.now() % 1_000_000_000)
/** How long the test of a fuzzer may take. */
export const fuzzBudget = { timeout: (seconds + 60) * 1000 }

/** Runs one round after the other, each on a seed of its own, which a failure names. */
export function fuzz(round: (random: Random) => void): void {
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
export function outcomeOf<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const edges = [
  0, 1, 2, 4, 8, 0x7f, 0x80, 0xfe, 0xff, 0xffff, 0x20000, 0x7fffffff, 0x80000000, 0xc0000000, 0xffffffff,
]

/** A copy with up to six faults of the kinds that formats fear. */
export function spoilt(random: Random, whole: Buffer, other: Buffer): Buffer {
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
