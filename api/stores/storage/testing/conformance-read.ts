import { expect } from 'vitest'
import { collect } from '../bytes.ts'
import {
  type Cases,
  MIB,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  readAll,
  readRange,
} from './conformance-given.ts'

/** Reading objects and ranges of them. */
export const readCases: Cases = {
  'reads any range': async (store) => {
    const bytes = await givenObject(store, 'a', givenBytes(3 * MIB + 5))
    const ranges: [number, number][] = [
      [0, 1],
      [0, MIB],
      [1, MIB],
      [MIB - 1, 2],
      [7, 2 * MIB + 1],
      [3 * MIB, 5],
      [9, 0],
    ]
    for (const [offset, length] of ranges)
      expectBytes(await readRange(store, 'a', offset, length), bytes.subarray(offset, offset + length))
    await store.delete('a')
  },

  'a range past the end is a short read, one that starts there is empty': async (store) => {
    const bytes = await givenObject(store, 'a', givenBytes(2 * MIB))
    expectBytes(await readRange(store, 'a', 2 * MIB - 3, 100), bytes.subarray(2 * MIB - 3))
    expectBytes(await readRange(store, 'a', 5, 50 * MIB), bytes.subarray(5))
    expect(await readRange(store, 'a', 2 * MIB, 1)).toHaveLength(0)
    expect(await readRange(store, 'a', 50 * MIB, 1)).toHaveLength(0)
    await store.delete('a')
  },

  'a range that is none is refused': async (store) => {
    await givenObject(store, 'a')
    for (const [offset, length] of [
      [-1, 1],
      [0, -1],
      [0.5, 1],
      [0, NaN],
    ] as [number, number][])
      await expectKind(store.read('a', { offset, length }), 'permanent')
    await store.delete('a')
  },

  'a missing object is missing before its first byte; so is a mere prefix': async (store) => {
    await givenObject(store, 'a/b')
    for (const key of ['a', 'a/c', 'b', 'a/b/c']) {
      await expectKind(store.read(key), 'missing')
      expect(await store.stat(key)).toBeUndefined()
    }
    await store.delete('a/b')
  },

  'chunks are about 1 MiB, and a reader may keep them': async (store) => {
    const bytes = await givenObject(store, 'a', givenBytes(4 * MIB + 3))
    const kept: Uint8Array[] = []
    for await (const chunk of await store.read('a')) {
      expect(chunk.length).toBeLessThanOrEqual(MIB)
      kept.push(chunk)
    }
    expect(kept).toHaveLength(5)
    expectBytes(Buffer.concat(kept), bytes)
    await store.delete('a')
  },

  'a reader may give chunks back when it is done with them': async (store) => {
    const bytes = await givenObject(store, 'a', givenBytes(6 * MIB + 3))
    const source = await store.read('a')
    const copies: Uint8Array[] = []
    for await (const chunk of source) {
      copies.push(Uint8Array.from(chunk))
      source.giveBack?.(chunk)
    }
    expectBytes(Buffer.concat(copies), bytes)
    await store.delete('a')
  },

  'many readers at once each get every byte': async (store) => {
    const bytes = await givenObject(store, 'a', givenBytes(3 * MIB))
    const readers = Array.from({ length: 12 }, () => readAll(store, 'a'))
    for (const read of await Promise.all(readers)) expectBytes(read, bytes)
    await store.delete('a')
  },

  'a reader that began goes on after the delete': async (store) => {
    const bytes = await givenObject(store, 'a', givenBytes(4 * MIB))
    const source = await store.read('a')
    await store.delete('a')
    expectBytes(await collect(source, 4 * MIB), bytes)
  },

  'a reader may leave early, even before the first chunk': async (store) => {
    await givenObject(store, 'a', givenBytes(4 * MIB))
    for await (const chunk of await store.read('a')) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    const unread = (await store.read('a'))[Symbol.asyncIterator]()
    await unread.return?.()
    expect(await unread.next()).toMatchObject({ done: true })
    await store.delete('a')
  },

  'an abort ends the read with its reason': async (store) => {
    await givenObject(store, 'a', givenBytes(4 * MIB))
    const abort = new AbortController()
    const reason = new Error('enough')
    const chunks = (await store.read('a', undefined, abort.signal))[Symbol.asyncIterator]()
    expect((await chunks.next()).done).toBe(false)
    abort.abort(reason)
    await expect(chunks.next()).rejects.toBe(reason)
    await expect(store.read('a', undefined, abort.signal)).rejects.toBe(reason)
    await store.delete('a')
  },
}
