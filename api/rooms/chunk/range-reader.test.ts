import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LARGE_SLAB_BYTES } from '../../platform/direct-io/index.ts'
import { FsBlobStore, fromChunks } from '../../stores/storage/index.ts'
import { RangeReader } from './range-reader.ts'
import { ShardTerms } from './shard-terms.ts'

const key = 'xorbs/aa/aa.1'
const now = new Date(0)
const xorb = {
  xorb_hash: 'aa',
  key,
  body_size: 4 * LARGE_SLAB_BYTES,
  unpacked: 4 * LARGE_SLAB_BYTES,
  n: 1,
  created_at: now,
  last_used_at: now,
}

let dir = ''
let blobs: FsBlobStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-ranges-'))
  blobs = await FsBlobStore.open({ path: dir })
  await blobs.put(key, fromChunks(Buffer.alloc(xorb.body_size)))
})
afterAll(async () => {
  await blobs.close()
  await rm(dir, { recursive: true })
})

/** Files of the store that this process has open. */
async function openFiles(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.startsWith(dir))
}

function given() {
  const { signal } = new AbortController()
  const terms = new ShardTerms({ blobs }, 'shards/1', signal)
  return new RangeReader({ blobs }, { shard_key: 'shard', terms_offset: 0 }, new Map([['aa', xorb]]), {
    signal,
    terms,
  })
}

// More than is read at once.
const range = { hash: 'aa', offset: 0, length: 3 * LARGE_SLAB_BYTES }

test('a rebuild that is over leaves no file open, however far a range of it had come', async () => {
  const whole = given()
  await whole.asked.open(range)
  while ((await whole.asked.body()) !== undefined);
  await whole.close()
  expect(await openFiles()).toEqual([])

  const begun = given()
  await begun.asked.open(range)
  await begun.asked.body()
  expect((await openFiles()).length).toBeGreaterThan(0)
  await begun.close()
  expect(await openFiles()).toEqual([])

  const unread = given()
  await unread.asked.open(range)
  await unread.close()
  expect(await openFiles()).toEqual([])

  const opening = given()
  const opened = opening.asked.open(range)
  await opening.close()
  await opened
  expect(await openFiles()).toEqual([])
})
