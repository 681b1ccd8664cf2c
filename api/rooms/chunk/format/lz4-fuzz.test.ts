import { expect, test } from 'vitest'
import { decodeLz4Frame } from './lz4.ts'
import { fuzz, fuzzBudget, outcomeOf, spoilt } from './testing/fuzz.ts'
import { lz4Frame, Random } from './testing.ts'

test(
  'whatever happens to an LZ4 frame, it means the same as to a decoder that copies byte by byte',
  fuzzBudget,
  () => {
    const given = new Random(81)
    const frames = Array.from({ length: 200 }, () => anyFrame(given))
    let accepted = 0
    fuzz((random) => {
      const { frame, length } = random.pick(frames)
      const bytes =
        random.below(3) === 0 ? spoilt(random, frame, random.pick(frames).frame) : tampered(random, frame)
      const around = Buffer.alloc(length + 16, 0xaa)
      const decoded = outcomeOf(() => {
        decodeLz4Frame(bytes, around.subarray(8, 8 + length))
        return around.subarray(8, 8 + length)
      })
      const expected = plainly(bytes, length)
      expect(decoded === undefined).toBe(expected === undefined)
      if (decoded && expected) expect(decoded.equals(expected)).toBe(true)
      const edges = Buffer.concat([around.subarray(0, 8), around.subarray(8 + length)])
      expect(edges.every((byte) => byte === 0xaa)).toBe(true)
      if (decoded) accepted++
    })
    expect(accepted).toBeGreaterThan(0)
  },
)

function anyFrame(random: Random): { frame: Buffer; length: number } {
  const length = 1 + random.below(random.pick([20, 200, 2000]))
  const plain = random.pick([
    random.text(length),
    random.runs(length),
    random.floats(length),
    Buffer.alloc(length, 3),
  ])
  const frame = lz4Frame(plain, {
    blockBytes: 16 + random.below(1000),
    isIndependent: random.below(2) === 0,
    stored: random.pick(['never', 'larger', 'always'] as const),
    hasSize: random.below(5) === 0,
    hasSums: random.below(5) === 0,
  })
  return { frame, length }
}

/** One byte changed: many such frames are still frames, of other bytes. */
function tampered(random: Random, frame: Buffer): Buffer {
  const bytes = Buffer.from(frame)
  bytes[random.below(bytes.length)] = random.pick([0, 1, 4, 16, 255, random.below(256)])
  return bytes
}

/** The frame format in its plainest reading; nothing when the frame breaks it or does not hold `length` bytes. */
function plainly(frame: Buffer, length: number): Buffer | undefined {
  const flags = frame[4]!
  const code = (frame[5]! >> 4) & 7
  if (frame.length < 7 || frame.readUInt32LE(0) !== 0x184d2204 || (flags & 0xc3) !== 0x40) return undefined
  if ((frame[5]! & 0x8f) !== 0 || code < 4) return undefined
  if (flags & 8 && (frame.length < 15 || frame.readBigUInt64LE(6) !== BigInt(length))) return undefined
  const out: number[] = []
  let at = flags & 8 ? 15 : 7
  for (;;) {
    if (at + 4 > frame.length) return undefined
    const word = frame.readUInt32LE(at)
    at += 4
    if (word === 0) break
    const size = word % 2 ** 31
    const start = out.length
    if (size > 1 << (8 + 2 * code) || at + size + (flags & 16 ? 4 : 0) > frame.length) return undefined
    if (word >= 2 ** 31) out.push(...frame.subarray(at, at + size))
    else if (!blockPlainly(frame.subarray(at, at + size), out, flags & 32 ? start : 0, length))
      return undefined
    if (out.length - start > 1 << (8 + 2 * code)) return undefined
    at += size + (flags & 16 ? 4 : 0)
  }
  return at + (flags & 4 ? 4 : 0) === frame.length && out.length === length ? Buffer.from(out) : undefined
}

function blockPlainly(block: Buffer, out: number[], base: number, most: number): boolean {
  let at = 0
  const next = () => block[at++] ?? Number.NaN
  const long = (nibble: number): number => {
    let length = nibble
    for (let more = nibble === 15 ? 255 : 0; more === 255;) length += more = next()
    return length
  }
  while (at < block.length) {
    const token = next()
    for (let left = long(token >> 4); left !== 0; left--) {
      const literal = next()
      if (Number.isNaN(left) || Number.isNaN(literal)) return false
      out.push(literal)
    }
    if (at === block.length) return out.length <= most
    const distance = next() + 256 * next()
    const length = long(token & 15) + 4
    if (!(distance > 0 && distance <= out.length - base && out.length + length <= most)) return false
    for (let i = 0; i < length; i++) out.push(out[out.length - distance]!)
  }
  return false
}
