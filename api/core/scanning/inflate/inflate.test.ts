import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../../parsers/index.ts'
import { Budget, measured } from './inflated-bytes.ts'

const budget = () => new Budget(1e9)
const inflate = (bytes: Uint8Array) => {
  const { bytes: found, isDamaged } = measured(inMemory(bytes), 0, budget())
  return { isDamaged, all: Buffer.from(found.read(0, found.sizeBytes)) }
}

describe('inflating', () => {
  const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants

  test('undoes what zlib does, at every level and strategy', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(fc.constantFrom(...'aab'), { maxLength: 9000 }).map((all) => Buffer.from(all.join(''))),
    )
    const strategy = fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE)
    fc.assert(
      fc.property(content, fc.integer({ min: 0, max: 9 }), strategy, (bytes, level, strategy) => {
        expect(inflate(deflateRawSync(bytes, { level, strategy }))).toEqual({
          isDamaged: false,
          all: Buffer.from(bytes),
        })
      }),
      { seed: 18, numRuns: 300 },
    )
  })

  test('of 5 MB in pieces may go back', () => {
    const content = Buffer.from(Array.from({ length: 400_000 }, (_, i) => `line ${i % 977}\n`).join(''))
    const packed = deflateRawSync(content)
    const { bytes } = measured(inMemory(packed), 0, budget())
    for (const at of [0, 70_000, 1_000_000, 12, content.length - 9])
      expect(Buffer.from(bytes.read(at, 99))).toEqual(content.subarray(at, at + 99))
  })

  test('of damaged bytes ends', () => {
    const packed = deflateRawSync(Buffer.alloc(5000, 'some text'))
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, value) => {
        const damaged = Buffer.from(packed)
        damaged[at] = value
        expect(inflate(damaged).all.length).toBeLessThan(10_000_000)
      }),
      { seed: 18, numRuns: 2000 },
    )
  })

  test('of a bomb ends at the budget', () => {
    const bomb = deflateRawSync(Buffer.alloc(10_000_000))
    expect(() => measured(inMemory(bomb), 0, new Budget(1_000_000))).toThrow('more than is looked at')
  })
})
