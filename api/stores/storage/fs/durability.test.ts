import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ByteSource } from '../blob-store.ts'
import { fromChunks } from '../bytes.ts'
import { hashing } from '../hashing.ts'
import {
  MIB,
  expectBytes,
  expectKind,
  givenBytes,
  givenObject,
  listKeys,
  readAll,
} from '../testing/conformance-given.ts'
import { DiskModel, type DiskCall } from '../testing/disk-model.ts'
import { recordDisk, type DiskStep } from '../testing/recorded-disk.ts'
import { FsBlobStore } from './fs.ts'

let dir: string
let path: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-durable-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))
beforeEach(async () => {
  path = await mkdtemp(join(dir, 'store-'))
})

const errno = (code: string) => Object.assign(new Error(code), { code })

/** In slabs, as an upload comes. */
const upload = (bytes: Uint8Array): ByteSource => hashing(fromChunks(bytes), 'sha256').source

type Act = (store: FsBlobStore) => Promise<unknown>

/** What a call says, with names for what is random. */
function worded(call: DiskCall): string {
  const short = (name: string) =>
    name.slice(path.length + 1).replace(/[\da-f]{8}-[\da-f-]{27}(\.[\da-f]{16})?/, '*') || '/'
  return 'from' in call
    ? `${call.call} ${short(call.from)} ${short(call.to)}`
    : `${call.call} ${short(call.path)}`
}

describe('a change is durable before it is answered', () => {
  /** The calls of `act` on a store of its own, which is open already. */
  async function orderOf(act: Act): Promise<string[]> {
    const calls = recordDisk()
    const store = await FsBlobStore.open({ path })
    calls.length = 0
    await act(store)
    const order = calls.filter(({ call }) => call !== 'sync-begins').map(worded)
    await store.close()
    return order
  }

  const written = ['create .tmp/*', 'write .tmp/*', 'sync .tmp/*']
  const folders = ['mkdir a', 'sync /', 'mkdir a/b', 'sync a']

  test('put: bytes synced, folders synced, then the name, and that synced', async () => {
    expect(await orderOf((store) => store.put('a/b/c', fromChunks(givenBytes(10))))).toEqual([
      ...written,
      ...folders,
      'link .tmp/* a/b/c',
      'sync a/b',
      'unlink .tmp/*',
    ])
  })

  test('put past the page cache: the same', async () => {
    const order = await orderOf((store) => store.put('xorbs/b/c', upload(givenBytes(2 * MIB))))
    expect(order.filter((step, i) => step !== order[i - 1])).toEqual([
      ...written,
      'mkdir xorbs',
      'sync /',
      'mkdir xorbs/b',
      'sync xorbs',
      'link .tmp/* xorbs/b/c',
      'sync xorbs/b',
      'unlink .tmp/*',
    ])
  })

  test('copy', async () => {
    const act: Act = async (store) => {
      await store.put('x', fromChunks(givenBytes(1)))
      await store.copy('x', 'a/b/c')
    }
    expect((await orderOf(act)).slice(-6)).toEqual([...folders, 'link x a/b/c', 'sync a/b'])
  })

  test('folders that were there are synced once more, by each process', async () => {
    const first = await FsBlobStore.open({ path })
    await givenObject(first, 'a/b/c')
    await first.close()
    const order = await orderOf((store) => givenObject(store, 'a/b/d'))
    expect(order.filter((step) => step.startsWith('sync'))).toEqual([
      'sync .tmp/*',
      'sync /',
      'sync a',
      'sync a/b',
    ])
  })

  test('a large object is synced on its way, not at its end alone', async () => {
    const mebibyte = Buffer.alloc(MIB)
    const order = await orderOf((store) =>
      store.put('a', fromChunks(...Array.from({ length: 140 }, () => mebibyte))),
    )
    const steps = order.filter((step) => /write|sync \.tmp/.test(step))
    expect(steps.indexOf('sync .tmp/*')).toBeLessThan(steps.lastIndexOf('write .tmp/*'))
    expect(steps.at(-1)).toBe('sync .tmp/*')
  })
})

describe('a power cut after any call', () => {
  const small = givenBytes(1000, 3)
  const large = givenBytes(3 * MIB + 77, 4)
  const scenarios: [string, Act, Record<string, Buffer>][] = [
    ['put', (store) => store.put('a/b', fromChunks(small)), { 'a/b': small }],
    ['put in slabs', (store) => store.put('a/b', upload(large)), { 'a/b': large }],
    ['put past the page cache', (store) => store.put('xorbs/b', upload(large)), { 'xorbs/b': large }],
    [
      'copy',
      async (store) => {
        await store.put('x/y', fromChunks(small))
        await store.copy('x/y', 'a/b')
      },
      { 'x/y': small, 'a/b': small },
    ],
    [
      'one of two deleted, another put in its folder',
      async (store) => {
        await store.put('a/b', fromChunks(small))
        await store.delete('a/b')
        await store.put('a/c', fromChunks(small))
      },
      { 'a/c': small },
    ],
  ]

  /** Opens what is left, where every object must be whole. Answers the keys. */
  async function wholeKeys(left: string, bytes: Record<string, Buffer>): Promise<string[]> {
    const store = await FsBlobStore.open({ path: left })
    const keys = await listKeys(store, '')
    for (const key of keys) expectBytes(await readAll(store, key), bytes[key] ?? small)
    await givenObject(store, 'new/one')
    await store.close()
    return keys
  }

  test.each(scenarios)('%s: no object by half, none lost that was acknowledged', async (_, act, bytes) => {
    const model = await DiskModel.of(path)
    const calls = recordDisk()
    const store = await FsBlobStore.open({ path })
    await act(store)
    const taken = [...calls]
    await store.close()
    const seen = new Set<string>()
    for (const [i, call] of taken.entries()) {
      model.take(call)
      for (const cut of ['bare', 'named'] as const) {
        const left = await mkdtemp(join(dir, 'left-'))
        await model.cut(cut, left)
        const keys = await wholeKeys(left, bytes)
        seen.add(keys.join())
        if (i === taken.length - 1) expect(keys).toEqual(expect.arrayContaining(Object.keys(bytes)))
        await rm(left, { recursive: true })
      }
    }
    // Some cuts came before the object, some after it.
    expect(seen.size).toBeGreaterThan(1)
  })
})

test('a folder that another put makes again is durable before what was linked into it', async () => {
  const gates = new Map<string, { arrive: () => void; opened: Promise<undefined> }>()
  const holdAt = (step: string) => {
    let open = () => undefined as void
    let arrive = () => undefined as void
    const opened = new Promise<undefined>((resolve) => (open = () => resolve(undefined)))
    const arrival = new Promise<void>((resolve) => (arrive = resolve))
    gates.set(step, { arrive, opened })
    return { arrival, open: () => open() }
  }
  recordDisk(({ call, path: at }) => {
    const gate = gates.get(`${call} ${at}`)
    gate?.arrive()
    return gate?.opened
  })
  const store = await FsBlobStore.open({ path })
  await givenObject(store, 'a/x')
  const link = holdAt(`link ${join(path, 'a/b')}`)
  const linked = givenObject(store, 'a/b')
  await link.arrival
  await store.delete('a/x')
  const sync = holdAt(`sync ${path}`)
  const other = givenObject(store, 'a/c')
  await sync.arrival
  link.open()
  const isEarly = await Promise.race([linked.then(() => true), pause(100, false)])
  sync.open()
  await Promise.all([linked, other])
  expect(isEarly).toBe(false)
  expect(await listKeys(store, '')).toEqual(['a/b', 'a/c'])
  await store.close()
})

describe('a disk in trouble', () => {
  /** A store over a disk on which the steps that `isHit` says fail, once `arm` was called. */
  async function troubled(isHit: (step: DiskStep) => boolean) {
    let isArmed = false
    recordDisk((step) => {
      if (isArmed && isHit(step)) throw errno('EIO')
      return undefined
    })
    const store = await FsBlobStore.open({ path })
    return { store, arm: (armed = true) => (isArmed = armed) }
  }

  const syncs: [string, (step: DiskStep) => boolean][] = [
    ['the bytes', ({ call, path: at }) => call === 'sync' && at.includes('/.tmp/')],
    ['the folder', ({ call, path: at }) => call === 'sync' && at === join(path, 'a')],
    ['the folder above', ({ call, path: at }) => call === 'sync' && at === path],
  ]

  test.each(syncs)('that cannot sync %s has stored nothing, and later can', async (what, isHit) => {
    const { store, arm } = await troubled(isHit)
    await givenObject(store, 'x')
    arm()
    await expectKind(store.put('a/b', fromChunks(givenBytes(10))), 'transient')
    // A copy has no bytes to sync.
    if (what !== 'the bytes') await expectKind(store.copy('x', 'a/b'), 'transient')
    expect(await store.stat('a/b')).toBeUndefined()
    expect(await listKeys(store, '')).toEqual(['x'])
    arm(false)
    expectBytes(await givenObject(store, 'a/b'), await readAll(store, 'a/b'))
    await store.close()
  })

  test.each([1, 7, 1000])('that takes %i bytes at a time has all of them in the end', async (most) => {
    let cutShort = 0
    recordDisk(({ call }) => (call === 'write' && ++cutShort < 100 ? most : undefined))
    const store = await FsBlobStore.open({ path })
    const bytes = givenBytes(5000)
    const chunks = [bytes.subarray(0, 3), bytes.subarray(3, 4000), bytes.subarray(4000)]
    expect(await store.put('a', fromChunks(...chunks))).toMatchObject({ sizeBytes: 5000 })
    expectBytes(await readAll(store, 'a'), bytes)
    expect(cutShort).toBeGreaterThan(1)
    await store.close()
  })

  test('that gives few bytes at a time gives all of them', async () => {
    recordDisk(({ call }) => (call === 'read' ? 99_999 : undefined))
    const store = await FsBlobStore.open({ path })
    const bytes = await givenObject(store, 'a', givenBytes(2 * MIB + 1))
    expectBytes(await readAll(store, 'a'), bytes)
    await store.close()
  })

  test.each([0, 1, MIB + 5])('whose file ends early, at %i, serves no shorter object', async (sizeBytes) => {
    const store = await FsBlobStore.open({ path })
    await givenObject(store, 'a', givenBytes(3 * MIB))
    const source = await store.read('a')
    await truncate(join(path, 'a'), sizeBytes)
    const reading = (async () => {
      let length = 0
      for await (const chunk of source) length += chunk.length
      return length
    })()
    await expectKind(reading, 'corrupt')
    await store.close()
  })

  test('whose small file ends early serves no shorter object', async () => {
    recordDisk(({ call }) => (call === 'read' ? 0 : undefined))
    const store = await FsBlobStore.open({ path })
    await givenObject(store, 'a', givenBytes(10))
    await expectKind(store.read('a'), 'corrupt')
    await store.close()
  })
})
