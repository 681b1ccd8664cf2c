import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { BlobStore } from '../blob-store.ts'
import { fromChunks } from '../bytes.ts'
import {
  type Cases,
  MIB,
  deleteAll,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  givenTroubledSource,
  listKeys,
  readAll,
} from './conformance-given.ts'

async function expectAbsent(store: BlobStore, key: string): Promise<void> {
  expect(await store.stat(key)).toBeUndefined()
  expect(await listKeys(store, '')).toEqual([])
  await expectKind(store.read(key), 'missing')
}

/** Writing objects, and what failed writes leave. */
export const putCases: Cases = {
  'stores objects of every size around the chunk size': async (store) => {
    for (const sizeBytes of [0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 17]) {
      const bytes = givenBytes(sizeBytes)
      const stat = await store.put(`a/${sizeBytes}`, fromChunks(bytes), { sizeBytes })
      expect(stat).toMatchObject({ key: `a/${sizeBytes}`, sizeBytes })
      expectBytes(await readAll(store, `a/${sizeBytes}`), bytes)
      expect(await store.stat(`a/${sizeBytes}`)).toEqual(stat)
    }
    await deleteAll(store)
  },

  'joins chunks of any size': async (store) => {
    const bytes = givenBytes(3 * MIB)
    const cuts = [0, 0, 1, 2, 700, 65_536, 65_536, MIB + 5, 2 * MIB + 1, bytes.length]
    await store.put('a', fromChunks(...cuts.map((cut, at) => bytes.subarray(cuts[at - 1] ?? 0, cut))))
    expectBytes(await readAll(store, 'a'), bytes)
    await store.delete('a')
  },

  'takes thousands of tiny chunks': async (store) => {
    const bytes = givenBytes(3000)
    await store.put('a', fromChunks(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))))
    expectBytes(await readAll(store, 'a'), bytes)
    await store.delete('a')
  },

  'refuses keys that paths never build': async (store) => {
    const names = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      '../a',
      '.tmp/a',
      'a/.b',
      'A',
      'a b',
      'a\\b',
      'a\0b',
    ]
    for (const key of [...names, 'é', 'x'.repeat(201)]) {
      const source = givenTroubledSource([givenBytes(1)])
      await expectKind(store.put(key, source), 'permanent')
      expect(source.isClosed()).toBe(true)
      await expectKind(store.read(key), 'permanent')
      await expectKind(store.stat(key), 'permanent')
      await expectKind(store.delete(key), 'permanent')
    }
  },

  'never overwrites: the key is taken and keeps its object': async (store) => {
    const bytes = await givenObject(store, 'a/b', givenBytes(20, 1))
    await expectKind(store.put('a/b', fromChunks(givenBytes(20, 2))), 'exists')
    expectBytes(await readAll(store, 'a/b'), bytes)
    await store.delete('a/b')
    await givenObject(store, 'a/b')
    await store.delete('a/b')
  },

  'of many puts to one key exactly one wins, whole': async (store) => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => givenBytes(MIB + seed, seed))
    const results = await Promise.allSettled(all.map((bytes) => store.put('a/b', fromChunks(bytes))))
    const winners = all.filter((_, at) => results[at]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'exists' })
    expectBytes(await readAll(store, 'a/b'), winners[0] ?? Buffer.alloc(0))
    await store.delete('a/b')
  },

  'a source that fails is heard as it is, and nothing is left': async (store) => {
    const error = new Error('the client went away')
    await expect(store.put('a/b', givenTroubledSource([givenBytes(2 * MIB)], error))).rejects.toBe(error)
    await expectAbsent(store, 'a/b')
  },

  'a length other than the declared one is corrupt, and nothing is left': async (store) => {
    for (const sizeBytes of [9, 11, 0]) {
      await expectKind(store.put('a', fromChunks(givenBytes(5), givenBytes(5)), { sizeBytes }), 'corrupt')
      await expectAbsent(store, 'a')
    }
    const source = givenTroubledSource([givenBytes(10)])
    await expectKind(store.put('a', source, { sizeBytes: 9 }), 'corrupt')
    expect(source.isClosed()).toBe(true)
  },

  'an abort while the source is silent ends the put at once, and nothing is left': async (store) => {
    const stall = new AbortController()
    const source = givenTroubledSource([givenBytes(2 * MIB), givenBytes(10)])
    const put = store.put('a', source, { signal: stall.signal })
    await sleep(20)
    const reason = new Error('stalled')
    stall.abort(reason)
    await expect(put).rejects.toBe(reason)
    expect(source.isClosed()).toBe(true)
    await expectAbsent(store, 'a')
  },

  'a signal that was aborted before stops the put before it reads': async (store) => {
    const source = givenTroubledSource([givenBytes(10)])
    const reason = new Error('too late')
    await expect(store.put('a', source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(source.isClosed()).toBe(true)
    await expectAbsent(store, 'a')
  },

  'a put cannot be seen before it is done': async (store) => {
    async function* watched() {
      yield givenBytes(2 * MIB)
      expect(await store.stat('a/b')).toBeUndefined()
      expect(await listKeys(store, '')).toEqual([])
      yield givenBytes(2 * MIB)
    }
    await store.put('a/b', watched())
    expect(await store.stat('a/b')).toMatchObject({ sizeBytes: 4 * MIB })
    await store.delete('a/b')
  },
}
