import { describe, expect, test } from 'vitest'
import { ChunkDecoder, maxChunkBytes } from './chunk.ts'
import { FormatError, type FormatCheck } from './format-error.ts'
import { givenChunk, lz4Frame, Random, rawChunk } from './testing.ts'

describe('a chunk', () => {
  test.each([0, 1, 2])('under scheme %i is decoded to where the caller says', (scheme) => {
    const random = new Random(scheme)
    const decoder = new ChunkDecoder()
    for (const n of [1, 3, 8, 50, 1000, 65_536, 131_071, maxChunkBytes]) {
      const plain = scheme === 2 ? random.floats(n) : random.text(n)
      const out = Buffer.alloc(n + 9, 0xaa)
      decoder.decode(givenChunk({ plain, scheme }), n, out)
      expect(out.equals(Buffer.concat([plain, Buffer.alloc(9, 0xaa)])), `${n} bytes`).toBe(true)
    }
  })

  test('that has another length than the index says is refused', () => {
    for (const scheme of [0, 1, 2]) {
      const chunk = givenChunk({ plain: Buffer.alloc(500, 7), scheme })
      for (const length of [0, 499, 501]) refused('chunk-header', chunk, length)
    }
  })

  test('that is longer or shorter than its header says is refused', () => {
    const chunk = givenChunk({ plain: Buffer.alloc(500, 7), scheme: 1 })
    for (const n of [0, 7, 8, chunk.length - 1]) refused('chunk-header', chunk.subarray(0, n), 500)
    refused('chunk-header', Buffer.concat([chunk, Buffer.alloc(1)]), 500)
  })

  test('whose payload is no frame of its length is refused', () => {
    refused('lz4', rawChunk(1, 500, Buffer.alloc(100)), 500)
    refused('lz4', rawChunk(1, 500, lz4Frame(Buffer.alloc(501))), 500)
    refused('lz4', rawChunk(2, 500, lz4Frame(Buffer.alloc(499))), 500)
  })
})

function refused(check: FormatCheck, serialized: Uint8Array, expected: number): void {
  const decode = () => new ChunkDecoder().decode(serialized, expected, Buffer.alloc(1000))
  expect(decode).toThrow(FormatError)
  expect(decode).toThrow(expect.objectContaining({ check }))
}
