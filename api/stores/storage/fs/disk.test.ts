import { mkdir, mkdtemp, readdir, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromChunks } from '../bytes.ts'
import {
  MIB,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  givenTroubledSource,
  listKeys,
  readAll,
} from '../testing/conformance-given.ts'
import { onDisk } from './errors.ts'
import { FsBlobStore } from './fs.ts'

let dir: string
let path: string
let store: FsBlobStore

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-disk-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))
beforeEach(async () => {
  path = await mkdtemp(join(dir, 'store-'))
  store = await FsBlobStore.open({ path })
})

const temps = () => readdir(join(path, '.tmp'))

async function openFiles(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((target) => target.startsWith(path))
}

describe('leaves nothing on the disk', () => {
  test('after objects come and go: no temporary file, no empty folder, no open file', async () => {
    await givenObject(store, 'a/b/c', givenBytes(3 * MIB))
    await readAll(store, 'a/b/c')
    await store.delete('a/b/c')
    expect(await readdir(path)).toEqual(['.tmp'])
    expect(await temps()).toEqual([])
    expect(await openFiles()).toEqual([])
  })

  test('after puts that failed', async () => {
    await expect(
      store.put('a/b', givenTroubledSource([givenBytes(2 * MIB)], new Error('cut'))),
    ).rejects.toThrow('cut')
    await expectKind(store.put('a/b', fromChunks(givenBytes(2)), { sizeBytes: 3 }), 'corrupt')
    await givenObject(store, 'a/b')
    await expectKind(store.put('a/b', fromChunks(givenBytes(2))), 'exists')
    expect(await temps()).toEqual([])
    expect(await openFiles()).toEqual([])
  })

  test('after reads of a folder, which is no object', async () => {
    await givenObject(store, 'a/b')
    for (let i = 0; i < 3; i++) await expectKind(store.read('a'), 'missing')
    expect(await openFiles()).toEqual([])
  })

  test('after reads that were left, aborted or never begun', async () => {
    await givenObject(store, 'a', givenBytes(5 * MIB))
    for await (const chunk of await store.read('a')) if (chunk.length > 0) break
    await (await store.read('a'))[Symbol.asyncIterator]().return?.()
    const abort = new AbortController()
    const aborted = (await store.read('a', undefined, abort.signal))[Symbol.asyncIterator]()
    abort.abort(new Error('enough'))
    await expect(aborted.next()).rejects.toThrow('enough')
    await expectKind(store.read('a', { offset: -1, length: 1 }), 'permanent')
    expect(await openFiles()).toEqual([])
  })
})

describe('a disk that goes away', () => {
  test('makes nothing look absent', async () => {
    await givenObject(store, 'a/b')
    await rename(path, `${path}-unmounted`)
    await mkdir(path)
    await expectKind(store.stat('a/b'), 'transient')
    await expectKind(store.read('a/b'), 'transient')
    await expectKind(store.delete('a/b'), 'transient')
    await expectKind(store.copy('a/b', 'c'), 'transient')
    await expectKind(listKeys(store, ''), 'transient')
    await expectKind(store.put('c', fromChunks(givenBytes(1))), 'transient')
    await expectKind(store.check(), 'transient')
  })
})

describe('what does not belong there', () => {
  test('a symbolic link is never followed', async () => {
    await writeFile(join(dir, 'secret'), 'secret')
    await symlink(join(dir, 'secret'), join(path, 'a'))
    await expectKind(store.read('a'), 'permanent')
    await expectKind(store.stat('a'), 'permanent')
    await expectKind(store.copy('a', 'b'), 'permanent')
    expect(await listKeys(store, '')).toEqual([])
  })

  test('foreign files and folders are not listed', async () => {
    await mkdir(join(path, 'lost+found'))
    await writeFile(join(path, 'lost+found', 'x'), '')
    await writeFile(join(path, 'README'), '')
    expect(await listKeys(store, '')).toEqual([])
  })
})

describe('sweeping at start', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

  test('removes temporary files that are a day old, and no younger ones', async () => {
    for (const [name, hours] of [
      ['old', 25],
      ['young', 23],
    ] as const) {
      await writeFile(join(path, '.tmp', name), 'x')
      await utimes(join(path, '.tmp', name), hoursAgo(hours), hoursAgo(hours))
    }
    await (await FsBlobStore.open({ path })).close()
    expect(await temps()).toEqual(['young'])
  })

  test('reports a sweep that fails', async () => {
    await rm(join(path, '.tmp'), { recursive: true })
    await symlink('nowhere', join(path, '.tmp'))
    const heard: unknown[] = []
    const swept = await FsBlobStore.open({ path, onSweepError: (error) => heard.push(error) })
    await swept.close()
    expect(heard).toMatchObject([{ code: 'ENOENT' }])
  })
})

test('a stored object is a plain file at its key, younger than its copy', async () => {
  const bytes = await givenObject(store, 'a/b', givenBytes(100))
  await utimes(store.localPath('a/b'), new Date(0), new Date(0))
  const copied = await store.copy('a/b', 'c')
  expect(copied.modifiedAt.getTime()).toBeGreaterThan(0)
  expectBytes(await readAll(store, 'c'), bytes)
  expect(store.localPath('c')).toBe(join(path, 'c'))
})

test.each([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'transient'],
  ['EMFILE', 'transient'],
  ['EBUSY', 'transient'],
  ['ESTALE', 'transient'],
  ['EACCES', 'permanent'],
  ['EROFS', 'permanent'],
  ['EEXIST', 'exists'],
  ['ENOENT', 'transient'],
  ['E_NEVER_SEEN', 'transient'],
] as const)('the disk saying %s means %s', async (code, kind) => {
  const cause = Object.assign(new Error('disk'), { code })
  await expect(onDisk('a', () => Promise.reject(cause))).rejects.toMatchObject({
    name: 'StoreError',
    kind,
    key: 'a',
    cause,
  })
})
