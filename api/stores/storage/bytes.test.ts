import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from './blob-store.ts'
import {
  TooManyBytes,
  cancel,
  collect,
  concat,
  fromChunks,
  fromWebStream,
  limited,
  toWebStream,
} from './bytes.ts'
import { givenBytes, givenTroubledSource } from './testing/conformance-given.ts'
import { hashing } from './hashing.ts'
import { SLAB_BYTES } from '../../platform/direct-io/index.ts'

const wrappers: [string, (source: ByteSource) => ByteSource][] = [
  ['limited', (source) => limited(source, 4 * SLAB_BYTES)],
  ['concat', (source) => concat([source])],
  ['hashing', (source) => hashing(source, 'sha256').source],
  ['a web stream and back', (source) => fromWebStream(toWebStream(source))],
]

describe.each(wrappers)('%s', (_, wrap) => {
  test('passes every byte', async () => {
    const bytes = givenBytes(100)
    const source = fromChunks(bytes.subarray(0, 7), bytes.subarray(7, 50), bytes.subarray(50))
    expect(await collect(wrap(source), 100)).toEqual(bytes)
  })

  test('passes the error of its source', async () => {
    const error = new Error('cut')
    await expect(collect(wrap(givenTroubledSource([givenBytes(5)], error)), 100)).rejects.toBe(error)
  })

  test('closes its source when the reader leaves', async () => {
    const source = givenTroubledSource([givenBytes(3 * SLAB_BYTES), givenBytes(5)])
    for await (const chunk of wrap(source)) if (chunk.length > 0) break
    expect(source.isClosed()).toBe(true)
  })

  test('closes its source when the reader leaves before the first byte', async () => {
    const source = givenTroubledSource([givenBytes(5)])
    await cancel(wrap(source))
    expect(source.isClosed()).toBe(true)
  })
})

test.each(wrappers)('%s closes its source while that is silent', async (_, wrap) => {
  const source = givenTroubledSource([])
  const chunks = wrap(source)[Symbol.asyncIterator]()
  void chunks.next()
  await chunks.return?.()
  expect(source.isClosed()).toBe(true)
})

describe('limited', () => {
  test('lets exactly the limit pass', async () => {
    expect(await collect(limited(fromChunks(givenBytes(4), givenBytes(6)), 10), 10)).toHaveLength(10)
  })

  test('throws in place of the chunk that passes the limit', async () => {
    const source = givenTroubledSource([givenBytes(4), givenBytes(7)])
    const seen: number[] = []
    const reading = (async () => {
      for await (const chunk of limited(source, 10)) seen.push(chunk.length)
    })()
    await expect(reading).rejects.toBeInstanceOf(TooManyBytes)
    await expect(reading).rejects.toMatchObject({ maxBytes: 10 })
    expect(seen).toEqual([4])
    expect(source.isClosed()).toBe(true)
  })
})

describe('collect', () => {
  test('refuses more than it may hold', async () => {
    const source = givenTroubledSource([givenBytes(11)])
    await expect(collect(source, 10)).rejects.toBeInstanceOf(TooManyBytes)
    expect(source.isClosed()).toBe(true)
  })

  test('of nothing is empty', async () => {
    expect(await collect(fromChunks(), 0)).toHaveLength(0)
  })
})

describe('concat', () => {
  test('reads one source after the other', async () => {
    const bytes = givenBytes(30)
    const sources = [fromChunks(bytes.subarray(0, 10)), fromChunks(), fromChunks(bytes.subarray(10))]
    expect(await collect(concat(sources), 30)).toEqual(bytes)
  })

  test('closes the sources it no longer reads', async () => {
    const unread = givenTroubledSource([givenBytes(1)])
    const error = new Error('cut')
    await expect(collect(concat([givenTroubledSource([], error), unread]), 10)).rejects.toBe(error)
    expect(unread.isClosed()).toBe(true)
  })
})

describe('web streams', () => {
  test('ask the source only when they are read', async () => {
    let asked = 0
    async function* source() {
      for (;;) {
        asked++
        yield givenBytes(1)
      }
    }
    const reader = toWebStream(source()).getReader()
    expect(asked).toBe(0)
    await reader.read()
    expect(asked).toBe(1)
    await reader.cancel()
  })
})

describe('cancel', () => {
  test('destroys an unread Node stream', async () => {
    const stream = Readable.from([givenBytes(1)])
    await cancel(stream)
    expect(stream.destroyed).toBe(true)
  })
})
