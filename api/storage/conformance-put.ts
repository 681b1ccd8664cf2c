import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { fromChunks } from './bytes.ts'
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

/** Writing, deleting, copying and listing objects. */
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
      await expectKind(store.createMultipart(key), 'permanent')
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

  'delete removes one object, and succeeds on none': async (store) => {
    await givenObject(store, 'a/b')
    await givenObject(store, 'a/c')
    await store.delete('a/b')
    await store.delete('a/b')
    await store.delete('never/was')
    expect(await listKeys(store, '')).toEqual(['a/c'])
    await store.delete('a/c')
  },

  'puts and deletes side by side in one folder do not disturb each other': async (store) => {
    const rounds = Array.from({ length: 60 }, async (_, at) => {
      const key = `deep/er/folder/${at}`
      const bytes = await givenObject(store, key, givenBytes(50, at))
      expectBytes(await readAll(store, key), bytes)
      await store.delete(key)
    })
    await Promise.all(rounds)
    expect(await listKeys(store, '')).toEqual([])
  },

  'lists by plain prefix': async (store) => {
    for (const key of ['a', 'ab/c', 'ab/cd/e', 'b/a/c', 'b/ab']) await givenObject(store, key)
    expect(await listKeys(store, '')).toEqual(['a', 'ab/c', 'ab/cd/e', 'b/a/c', 'b/ab'])
    expect(await listKeys(store, 'a')).toEqual(['a', 'ab/c', 'ab/cd/e'])
    expect(await listKeys(store, 'a/')).toEqual([])
    expect(await listKeys(store, 'ab/')).toEqual(['ab/c', 'ab/cd/e'])
    expect(await listKeys(store, 'ab/c')).toEqual(['ab/c', 'ab/cd/e'])
    expect(await listKeys(store, 'b/a')).toEqual(['b/a/c', 'b/ab'])
    expect(await listKeys(store, 'c')).toEqual([])
    await expectKind(listKeys(store, '../'), 'permanent')
    await deleteAll(store)
  },

  'lists what is stored, with size and time': async (store) => {
    const stat = await store.put('a/b', fromChunks(givenBytes(7)))
    for await (const listed of store.list('a/')) expect(listed).toEqual(stat)
    await store.delete('a/b')
  },

  'a copy outlives its original': async (store) => {
    const bytes = await givenObject(store, 'a/b', givenBytes(2 * MIB))
    const stat = await store.copy('a/b', 'c/d')
    expect(stat).toMatchObject({ key: 'c/d', sizeBytes: 2 * MIB })
    await store.delete('a/b')
    expectBytes(await readAll(store, 'c/d'), bytes)
    await store.delete('c/d')
  },

  'a copy of nothing is missing, one onto an object is refused': async (store) => {
    await expectKind(store.copy('a', 'b'), 'missing')
    await givenObject(store, 'a')
    const bytes = await givenObject(store, 'b', givenBytes(3))
    await expectKind(store.copy('a', 'b'), 'exists')
    expectBytes(await readAll(store, 'b'), bytes)
    await deleteAll(store)
  },

  'reports itself able to read and write, and leaves no trace of it': async (store) => {
    await store.check()
    const space = await store.freeSpace()
    if (space) expect(space.totalBytes).toBeGreaterThanOrEqual(space.freeBytes)
    expect(await listKeys(store, '')).toEqual([])
  },
}
