import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { collect, fromChunks } from './bytes.ts'
import { MIB, givenBytes, givenTroubledSource } from './testing/conformance-given.ts'
import { hashing } from './hashing.ts'

const SIZES = [0, 1, MIB - 1, MIB, MIB + 1, 5 * MIB + 123]

const cut = (bytes: Uint8Array, length: number) =>
  fromChunks(
    ...Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) =>
      bytes.subarray(n * length, (n + 1) * length),
    ),
  )

describe.each(['sha256', 'sha1'] as const)('%s in passing', (algorithm) => {
  test.each(SIZES)('of %i bytes is the digest of all of them', async (sizeBytes) => {
    const bytes = givenBytes(sizeBytes)
    const expected = { hex: createHash(algorithm).update(bytes).digest('hex'), sizeBytes }
    for (const chunkBytes of [65_536, 700_001, 8 * MIB]) {
      const hashed = hashing(cut(bytes, chunkBytes), algorithm)
      expect((await collect(hashed.source, sizeBytes)).equals(bytes)).toBe(true)
      expect(await hashed.digest()).toEqual(expected)
      expect(await hashed.digest()).toEqual(expected)
    }
  })
})

test('streams hashed side by side do not mix', async () => {
  const all = [1, 2, 3, 4, 5].map((seed) => givenBytes(3 * MIB + seed, seed))
  const hexes = all.map(async (bytes) => {
    const hashed = hashing(cut(bytes, 65_536), 'sha256')
    await collect(hashed.source, bytes.length)
    return (await hashed.digest()).hex
  })
  expect(await Promise.all(hexes)).toEqual(
    all.map((bytes) => createHash('sha256').update(bytes).digest('hex')),
  )
})

test('there is no digest of a source that was not read to its end', async () => {
  const unread = hashing(fromChunks(givenBytes(1)), 'sha256')
  await expect(unread.digest()).rejects.toThrow('not read to its end')
  const cut = hashing(givenTroubledSource([givenBytes(3 * MIB)], new Error('cut')), 'sha256')
  await expect(collect(cut.source, 4 * MIB)).rejects.toThrow('cut')
  await expect(cut.digest()).rejects.toThrow('not read to its end')
})
