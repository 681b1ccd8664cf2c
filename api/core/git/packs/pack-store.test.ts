import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobKeys, FsBlobStore, StoreError, type BlobStore } from '../../../stores/storage/index.ts'
import { failAt } from '../../../stores/storage/testing/fault-plan.ts'
import { FaultyBlobStore } from '../../../stores/storage/testing/faulty.ts'
import { MemoryBlobStore } from '../../../stores/storage/testing/memory.ts'
import { silentLogger } from '../../../platform/telemetry/index.ts'
import { CorruptObject } from '../errors.ts'
import { oidFromHex } from '../objects/oid.ts'
import type { PackRow } from './pack-row.ts'
import { PackStore } from './pack-store.ts'
import { PackWriter } from './pack-writer.ts'
import { git, gitText, withTempDir } from '../testing.ts'

const REPO = '01890000-0000-7000-8000-0000000000aa'

function storeOver(blobs: BlobStore, dir: string, cacheBytes = 2 ** 30): PackStore {
  const cacheDir = join(dir, 'cache')
  return new PackStore({ blobs, cacheDir, cacheBytes, maxRebuiltBytes: 2 ** 26, log: silentLogger() })
}

async function givenPack(
  store: PackStore,
  id: string,
  contents: string[],
): Promise<{ row: PackRow; oids: Buffer[] }> {
  const writer = new PackWriter(store.tempDir)
  const oids: Buffer[] = []
  for (const content of contents) oids.push(await writer.add('blob', Buffer.from(content)))
  const pack = await writer.finish()
  await store.put(REPO, id, pack)
  await writer.dispose()
  const { objects, sizeBytes: packBytes, index } = pack
  return {
    row: { id, repoId: REPO, sha1: pack.sha1.toString('hex'), objects, packBytes, idxBytes: index.length },
    oids,
  }
}

async function contentOf(store: PackStore, row: PackRow, oid: Buffer | undefined): Promise<string> {
  const pack = await store.open(row)
  const offset = pack.find(oid ?? Buffer.alloc(20)) ?? expect.fail('not in the pack')
  return (await pack.read(offset)).content.toString()
}

const cached = (dir: string, row: PackRow, kind: string) => join(dir, 'cache', REPO, `${row.id}.${kind}`)

test('a pack is fetched once, however many ask at the same time', async () => {
  await withTempDir(async (dir) => {
    const blobs = new MemoryBlobStore()
    const { row, oids } = await givenPack(storeOver(blobs, dir), 'a', ['one', 'two'])
    const counting = new FaultyBlobStore(blobs, () => undefined)
    const store = storeOver(counting, dir)
    const all = await Promise.all(Array.from({ length: 8 }, () => contentOf(store, row, oids[1])))
    expect(new Set(all)).toEqual(new Set(['two']))
    const asked = counting.ioCount
    await contentOf(store, row, oids[0])
    const second = storeOver(counting, dir)
    expect(await contentOf(second, row, oids[0])).toBe('one')
    expect(counting.ioCount).toBe(asked)
    store.close()
    second.close()
  })
})

test('a damaged copy in the cache is fetched again; a damaged original is an error', async () => {
  await withTempDir(async (dir) => {
    const blobs = new MemoryBlobStore()
    const first = storeOver(blobs, dir)
    const { row, oids } = await givenPack(first, 'a', ['one'])
    await contentOf(first, row, oids[0])
    first.close()
    const copy = await readFile(cached(dir, row, 'pack'))
    await writeFile(cached(dir, row, 'pack'), Buffer.concat([copy.subarray(0, -20), Buffer.alloc(20)]))
    expect(await contentOf(storeOver(blobs, dir), row, oids[0])).toBe('one')
    await blobs.delete(blobKeys.pack(REPO, 'a'))
    await blobs.put(
      blobKeys.pack(REPO, 'a'),
      (async function* () {
        yield Buffer.alloc(copy.length, 1)
      })(),
    )
    await rm(cached(dir, row, 'pack'))
    await expect(storeOver(blobs, dir).open(row)).rejects.toThrow(CorruptObject)
  })
})

test('an outage of the store and a lost pack are different errors', async () => {
  await withTempDir(async (dir) => {
    const blobs = new MemoryBlobStore()
    const { row, oids } = await givenPack(storeOver(blobs, dir), 'a', ['one'])
    const flaky = storeOver(new FaultyBlobStore(blobs, failAt(1, { type: 'before', kind: 'transient' })), dir)
    await expect(flaky.open(row)).rejects.toMatchObject({ kind: 'transient' })
    expect(await contentOf(flaky, row, oids[0])).toBe('one')
    await blobs.delete(blobKeys.pack(REPO, 'a'))
    await rm(join(dir, 'cache'), { recursive: true })
    await expect(storeOver(blobs, dir).open(row)).rejects.toMatchObject({ kind: 'missing' })
  })
})

test.each(['short', 'flip'] as const)('a fetch with a %s read never enters the cache', async (type) => {
  await withTempDir(async (dir) => {
    const blobs = new MemoryBlobStore()
    const { row, oids } = await givenPack(storeOver(blobs, dir), 'a', ['some content of no great length'])
    for (let n = 1; n <= 8; n++) {
      const store = storeOver(new FaultyBlobStore(blobs, failAt(n, { type })), dir)
      expect(await contentOf(store, row, oids[0])).toBe('some content of no great length')
      store.close()
      await rm(join(dir, 'cache'), { recursive: true })
    }
  })
})

test('the cache keeps below its size, and evicted packs stay readable where they are open', async () => {
  await withTempDir(async (dir) => {
    const blobs = new MemoryBlobStore()
    const writer = storeOver(blobs, dir)
    const packs = [
      await givenPack(writer, 'a', ['a']),
      await givenPack(writer, 'b', ['b']),
      await givenPack(writer, 'c', ['c']),
    ]
    const oneBytes = (packs[0]?.row.packBytes ?? 0) + (packs[0]?.row.idxBytes ?? 0)
    const store = storeOver(blobs, dir, 2 * oneBytes)
    for (const { row, oids } of packs) await contentOf(store, row, oids[0])
    let bytes = 0
    for (const name of await readdir(join(dir, 'cache', REPO)))
      bytes += (await stat(join(dir, 'cache', REPO, name))).size
    expect(bytes).toBeLessThanOrEqual(2 * oneBytes)
    for (const [i, { row, oids }] of packs.entries())
      expect(await contentOf(store, row, oids[0])).toBe('abc'[i])
    store.close()
  })
})

test('a fetch that the disk has no room for drops the copies in the cache first', async () => {
  await withTempDir(async (dir) => {
    const store = storeOver(new MemoryBlobStore(), dir)
    const [one, two] = [await givenPack(store, 'a', ['one']), await givenPack(store, 'b', ['two'])]
    await contentOf(store, one.row, one.oids[0])
    await stat(cached(dir, one.row, 'pack'))
    await expect(store.open({ ...two.row, packBytes: 2 ** 52 })).rejects.toThrow('another size')
    await expect(stat(cached(dir, one.row, 'pack'))).rejects.toThrow('ENOENT')
    expect(await contentOf(store, two.row, two.oids[0])).toBe('two')
    store.close()
  })
})

test('packs of a store on this machine are read in place', async () => {
  await withTempDir(async (dir) => {
    const blobs = await FsBlobStore.open({ path: join(dir, 'blobs') })
    const store = storeOver(blobs, dir)
    const { row, oids } = await givenPack(store, 'a', ['one'])
    expect(await contentOf(store, row, oids[0])).toBe('one')
    await expect(stat(cached(dir, row, 'pack'))).rejects.toThrow('ENOENT')
    await git(dir, ['init', '-q', '--bare', 'bare'])
    const packDir = join(dir, 'bare/objects/pack')
    await mkdir(packDir, { recursive: true })
    await store.bring(row, packDir, true)
    await store.bring(row, packDir, true)
    expect(await gitText(join(dir, 'bare'), ['cat-file', 'blob', oids[0]?.toString('hex') ?? ''])).toBe('one')
    await store.delete(row)
    await expect(store.open(row)).rejects.toThrow(StoreError)
    store.close()
    await blobs.close()
  })
})

test('an oid is looked up by all its bytes', async () => {
  await withTempDir(async (dir) => {
    const store = storeOver(new MemoryBlobStore(), dir)
    const { row, oids } = await givenPack(store, 'a', ['one'])
    const pack = await store.open(row)
    const near = Buffer.from(oids[0] ?? '')
    near[19] = (near[19] ?? 0) ^ 1
    expect(pack.find(near)).toBeUndefined()
    expect(pack.find(oidFromHex(oids[0]?.toString('hex') ?? ''))).toBe(12)
    store.close()
  })
})
