import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromChunks } from './bytes.ts'
import { DiskSpace, freeSpaceOf, lackingBytes, reserveBytes } from './disk-space.ts'
import { FsBlobStore } from './fs/fs.ts'
import { requireDiskSpace } from './require-disk-space.ts'
import { expectKind } from './testing/conformance-given.ts'

const GIB = 2 ** 30
let path: string

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'arsenal-space-'))
})
afterAll(() => rm(path, { recursive: true, force: true }))

test.each([
  [40 * 2 ** 20, 2 * 2 ** 20],
  [40 * GIB, 2 * GIB],
  [252 * GIB, 2 * GIB],
])('of a disk of %i bytes %i stay free', (totalBytes, reserved) => {
  expect(reserveBytes(totalBytes)).toBe(reserved)
  expect(lackingBytes({ totalBytes, freeBytes: reserved + 10 }, 10)).toBe(0)
  expect(lackingBytes({ totalBytes, freeBytes: reserved + 10 }, 11)).toBe(1)
})

test('a put of more than the disk has room for is refused before its bytes are read', async () => {
  const store = await FsBlobStore.open({ path: join(path, 'store') })
  const { freeBytes } = await freeSpaceOf(path)
  let isRead = false
  const source = (async function* () {
    isRead = true
    yield Buffer.alloc(1)
  })()
  await expectKind(store.put('a', source, { sizeBytes: freeBytes }), 'full')
  expect(isRead).toBe(false)
  expect(await readdir(join(path, 'store', '.tmp'))).toEqual([])
  await store.put('a', fromChunks(Buffer.alloc(1)), { sizeBytes: 1 })
  await store.close()
})

test('what is refused says how much is lacking', async () => {
  const { totalBytes } = await freeSpaceOf(path)
  await expect(new DiskSpace(path, 'The push').require(totalBytes)).rejects.toMatchObject({
    kind: 'full',
    detail: expect.stringMatching(/^The disk is too full: The push needs \d+ bytes\. Free \d+ bytes first/),
  })
  await expect(
    requireDiskSpace({ freeSpace: () => freeSpaceOf(path) }, totalBytes, 'the archive'),
  ).rejects.toMatchObject({
    code: 'storage-full',
    status: 507,
  })
})
