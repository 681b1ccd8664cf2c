import { expect } from 'vitest'
import { fromChunks } from '../bytes.ts'
import {
  type Cases,
  MIB,
  deleteAll,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  listKeys,
  readAll,
} from './conformance-given.ts'

/** Deleting, listing and copying objects, and the store's word on itself. */
export const keyCases: Cases = {
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
