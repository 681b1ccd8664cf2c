import { constants } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { collect, fromChunks } from '../bytes.ts'
import {
  MIB,
  expectBytes,
  expectKind,
  givenBytes,
  givenTroubledSource,
  readAll,
} from '../testing/conformance-given.ts'
import type { OpenFile } from './uncached.ts'
import { FsBlobStore } from './fs.ts'
import { hashing } from '../hashing.ts'
import {
  switchDirectIo,
  isAligned,
  returnSlab,
  LARGE_SLAB_BYTES,
  SLAB_BYTES,
  takeSlab,
} from '../../../platform/direct-io/index.ts'
import { inSlabs } from '../in-slabs.ts'

setFlagsFromString('--expose-gc')

const refusal = (code: string) => Object.assign(new Error(code), { code })

/** A handle whose writes and reads go `instead`. */
function altered(file: FileHandle, instead: Pick<FileHandle, 'write' | 'read'>): FileHandle {
  return Object.assign(file, instead)
}

let opened: string[]
const counted: OpenFile = (path, flags) => {
  opened.push((flags & constants.O_WRONLY) === 0 ? 'read' : 'write')
  return open(path, flags)
}
const refusing: OpenFile = async (path, flags) => {
  opened.push('refused')
  // As a file system that has no such way at all.
  return Promise.reject(path === '' ? flags : refusal('EINVAL'))
}
/** Opened like any other file, but every step that follows is refused. */
const refusingLater: OpenFile = async (path, flags) => {
  opened.push('refused')
  const refuse = () => Promise.reject(refusal('EINVAL'))
  return altered(await open(path, flags & ~constants.O_DIRECT), { write: refuse, read: refuse })
}
/** Takes and gives a page less than it could. */
const short: OpenFile = async (path, flags) => {
  const file = await open(path, flags & ~constants.O_DIRECT)
  const [write, read] = [file.write.bind(file), file.read.bind(file)]
  return altered(file, {
    write: ((bytes: Uint8Array, offset: number, length: number, position: number) =>
      write(bytes, offset, length - 4096, position)) as FileHandle['write'],
    read: ((bytes: Uint8Array, offset: number, length: number, position: number) =>
      read(bytes, offset, Math.max(length - 4096, 0), position)) as FileHandle['read'],
  })
}

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-direct-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))
beforeEach(() => (opened = []))

const storeOver = async (openDirect: OpenFile) =>
  FsBlobStore.open({ path: await mkdtemp(join(dir, 'store-')), openDirect })

/** The bytes as an upload brings them. */
const upload = (bytes: Uint8Array) => hashing(fromChunks(bytes), 'sha256').source

/** Reads as a rebuild does. */
async function readSlabs(store: FsBlobStore, key: string, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const slab of inSlabs(await store.read(key, { offset, length }), true)) {
    parts.push(Buffer.from(slab))
    returnSlab(slab)
  }
  return Buffer.concat(parts)
}

describe.each([
  ['as the disk allows', counted],
  ['refused at the open', refusing],
  ['refused at the first step', refusingLater],
  ['with steps cut short', short],
] as const)('past the page cache, %s', (_, openDirect) => {
  test('objects of every length come back as they went in', async () => {
    const store = await storeOver(openDirect)
    for (const sizeBytes of [0, 1, 511, 512, 513, 4096, MIB - 1, MIB, MIB + 1, 3 * MIB + 7, 4 * MIB + 8192]) {
      const bytes = givenBytes(sizeBytes, sizeBytes)
      const key = `xorbs/${sizeBytes}`
      expect(await store.put(key, upload(bytes), { sizeBytes })).toMatchObject({ sizeBytes })
      expectBytes(await readAll(store, key), bytes)
      expectBytes(await readSlabs(store, key, 0, sizeBytes), bytes)
    }
  })

  test('ranges that begin and end anywhere are exact', async () => {
    const store = await storeOver(openDirect)
    const bytes = givenBytes(5 * MIB + 77)
    await store.put('xorbs/a', upload(bytes))
    for (const [offset, length] of [
      [0, 2 * MIB],
      [1, 2 * MIB],
      [4095, 3 * MIB + 2],
      [4096, 4 * MIB],
      [MIB - 1, 9 * MIB],
    ] as const)
      expectBytes(await readSlabs(store, 'xorbs/a', offset, length), bytes.subarray(offset, offset + length))
  })
})

test('a file system that refuses is asked once', async () => {
  for (const refuse of [refusing, refusingLater]) {
    opened = []
    const store = await storeOver(refuse)
    for (const key of ['xorbs/a', 'uploads/b']) await store.put(key, upload(givenBytes(3 * MIB)))
    await readSlabs(store, 'xorbs/a', 0, 3 * MIB)
    expect(opened).toEqual(['refused'])
  }
})

test('small objects, sources of other memory and objects that are downloaded go through the cache', async () => {
  const store = await storeOver(counted)
  await store.put('xorbs/a', upload(givenBytes(MIB - 1)))
  await store.put('xorbs/b', fromChunks(givenBytes(4 * MIB)))
  await collect(await store.read('xorbs/b'), 4 * MIB)
  await store.put('lfs/c', upload(givenBytes(4 * MIB)))
  await readSlabs(store, 'lfs/c', 0, 4 * MIB)
  expect(opened).toEqual([])
})

test('a disk that fills up says so, and nothing stays', async () => {
  const full: OpenFile = async (path, flags) => {
    const fail = () => Promise.reject(refusal('ENOSPC'))
    return altered(await open(path, flags), { write: fail, read: fail })
  }
  const store = await storeOver(full)
  await expectKind(store.put('xorbs/a', upload(givenBytes(3 * MIB))), 'full')
  expect(await store.stat('xorbs/a')).toBeUndefined()
  expect(await readdir(join(store.localPath('a'), '..', '.tmp'))).toEqual([])
})

test('a put that breaks off leaves no file open', async () => {
  const store = await storeOver(counted)
  const cut = givenTroubledSource([givenBytes(3 * MIB)], new Error('cut'))
  await expect(store.put('xorbs/a', hashing(cut, 'sha256').source)).rejects.toThrow('cut')
  const links = async () => {
    const fds = await readdir('/proc/self/fd')
    const targets = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
    return targets.filter((target) => target.startsWith(dir))
  }
  // A store that was just opened still sweeps.
  await expect.poll(links).toEqual([])
  expect(await readdir(join(store.localPath('a'), '..', '.tmp'))).toEqual([])
})

describe('slabs', () => {
  test('begin at a page, and are shared with no other caller until they are returned', () => {
    const [one, two] = [takeSlab(), takeSlab()]
    expect(one.buffer).not.toBe(two.buffer)
    expect([isAligned(one), isAligned(one.subarray(4096)), isAligned(one.subarray(1))]).toEqual([
      true,
      true,
      false,
    ])
    returnSlab(one.subarray(5, 9))
    returnSlab(one)
    // Those that earlier tests returned come first; at most 80 are kept.
    const taken = Array.from({ length: 81 }, () => takeSlab())
    expect(taken.filter(({ buffer }) => buffer === one.buffer)).toHaveLength(1)
    expect(taken.every(({ length }) => length === SLAB_BYTES)).toBe(true)
  })

  test('are large where many bytes are wanted, up to a number of them at once', async () => {
    const lengths = (slabs: Uint8Array[]) => slabs.map(({ length }) => length)
    const many = () => Array.from({ length: 9 }, () => takeSlab(SLAB_BYTES + 1))
    const expected = [...Array<number>(8).fill(LARGE_SLAB_BYTES), SLAB_BYTES]
    const first = many()
    expect(lengths(first)).toEqual(expected)
    expect(lengths([takeSlab(SLAB_BYTES)])).toEqual([SLAB_BYTES])
    first.forEach(returnSlab)
    const second = many()
    expect(new Set(second.map(({ buffer }) => buffer))).toEqual(new Set(first.map(({ buffer }) => buffer)))
    expect(second.every(isAligned)).toBe(true)
    first.length = second.length = 0
    // What is never returned counts until it is collected.
    const collectGarbage = runInNewContext('gc') as () => void
    await expect
      .poll(() => {
        collectGarbage()
        return takeSlab(SLAB_BYTES + 1).length
      })
      .toBe(LARGE_SLAB_BYTES)
  })

  test('begin anywhere where memory is to be had plainly, and a file keeps the same bytes', async () => {
    switchDirectIo(false)
    try {
      expect(isAligned(takeSlab())).toBe(false)
      const store = await storeOver(counted)
      const bytes = givenBytes(5 * SLAB_BYTES + 12_345)
      const hashed = hashing(fromChunks(bytes), 'sha256')
      await store.put('a', hashed.source)
      expectBytes(await readAll(store, 'a'), bytes)
      await store.close()
    } finally {
      switchDirectIo(true)
    }
  })

  test('memory of others is never taken for one', () => {
    const other = Buffer.alloc(MIB)
    returnSlab(other)
    expect(takeSlab().buffer).not.toBe(other.buffer)
    expect(isAligned(other)).toBe(false)
  })
})
