import { describe, expect, test } from 'vitest'
import { FormatError } from './format-error.ts'
import { givenXorb, Random } from './testing.ts'
import { decodeIndex, encodeIndex, maxChunks } from './xorb-index.ts'

const random = new Random(31)
const { index } = givenXorb([
  { plain: random.bytes(100) },
  { plain: random.text(5000), scheme: 1 },
  { plain: random.floats(3000), scheme: 2 },
])

describe('the stored index of a xorb', () => {
  test('is what the specification lays out', () => {
    const stored = encodeIndex(index)
    expect(stored.length).toBe(4 + 3 * 40)
    expect(stored.readUInt32LE(0)).toBe(3)
    expect(stored.subarray(44, 76)).toEqual(index.hashes.subarray(32, 64))
    expect([stored.readUInt32LE(76), stored.readUInt32LE(80)]).toEqual([index.ends[1], 5000])
  })

  test('is read back whole, its tree hash included', () => {
    expect(decodeIndex(encodeIndex(index))).toEqual(index)
    const full = givenXorb(
      Array.from({ length: maxChunks }, (_, i) => ({ plain: Buffer.from(`${i}`) })),
    ).index
    const again = decodeIndex(encodeIndex(full))
    expect(encodeIndex(again).equals(encodeIndex(full))).toBe(true)
    expect(again.hash).toEqual(full.hash)
  })

  test('is not read from bytes that describe no xorb', () => {
    const stored = encodeIndex(index)
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(stored)
      copy.writeUInt32LE(value, at)
      return copy
    }
    const [end, length] = [36, 40]
    const broken = [
      ...Array.from({ length: stored.length }, (_, n) => stored.subarray(0, n)),
      Buffer.concat([stored, Buffer.alloc(1)]),
      ...[0, 2, 4, maxChunks + 1, 0xffffffff].map((n) => changed(0, n)),
      ...[0, 8, 109, 0xffffffff].map((value) => changed(end, value)),
      ...[0, 99, 131_073, 0xffffffff].map((value) => changed(length, value)),
      changed(end + 40, 108),
      changed(end + 80, index.ends[1]! + 3009),
    ]
    for (const bytes of broken) {
      expect(() => decodeIndex(bytes)).toThrow(FormatError)
      expect(() => decodeIndex(bytes)).toThrow(expect.objectContaining({ check: 'xorb-index' }))
    }
  })

  test('a changed hash or length changes the hash it is known by', () => {
    const stored = encodeIndex(index)
    for (const at of [4, 35, 44, 84]) {
      const copy = Buffer.from(stored)
      copy[at]! ^= 1
      expect(decodeIndex(copy).hash.equals(index.hash)).toBe(false)
    }
  })
})
