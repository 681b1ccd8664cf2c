import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { blobKeys, collect, fromChunks } from '../stores/storage/index.ts'
import { findUsable, listFaults, openObject } from '../core/lfs/index.ts'
import { codeOf, givenContent, hours, pass } from '../core/lfs/testing.ts'
import { enqueue } from '../core/jobs/index.ts'
import { jobRow, runJobs } from '../core/jobs/testing.ts'
import { add, givenCommit, textOf } from '../rooms/content/testing.ts'
import { ChunkSite, xorb, xorbHash } from '../rooms/chunk/testing.ts'
import { openAttachment } from '../rooms/discussions/attachments/open.ts'
import { uploadAttachment } from '../rooms/discussions/attachments/upload.ts'
import { givenLink, givenObject, givenRepo } from '../rooms/uploads/testing.ts'
import { eachDatabase, givenUser, type World } from '../testing.ts'
import { gitCheck } from '../core/git/index.ts'
import { backup, findBackup, healFrom } from '../rooms/backup/index.ts'
import { MemoryBlobStore } from '../stores/storage/testing/memory.ts'
import { jobKinds, scrubs } from './housekeeping.ts'
import { schema } from './schema.ts'

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function scrub(world: World, input: { all?: boolean } = {}) {
  const kind = jobKinds.find((each) => each.kind === 'blob.scrub') ?? expect.fail('no such kind')
  const { id } = await world.db.write((tx) => enqueue(tx, world.ctx(), kind, input))
  await runJobs(world.deps, jobKinds)
  const { status, result } = await jobRow(world.db, id)
  expect(status).toBe('succeeded')
  return result as { read_bytes: number; objects: number; damaged: number }
}

/** Turns one bit of stored bytes, as a disk may. */
async function flip(world: World, key: string, at = 30): Promise<void> {
  const bytes = await collect(await world.blobs.read(key), 2 ** 26)
  bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 4
  await world.blobs.delete(key)
  await world.blobs.put(key, fromChunks(bytes))
}

const faults = async (world: World) =>
  (await listFaults(world.db, '', 100)).map(({ kind, key }) => ({ kind, key }))

eachDatabase('scrub', (world) => {
  let n = 0
  let owner: Awaited<ReturnType<typeof givenUser>>
  let repo: Awaited<ReturnType<typeof givenRepo>>
  beforeEach(async () => {
    owner = await givenUser(world, `owner${++n}`)
    repo = await givenRepo(world, owner, 'tiny')
  })

  test('finds nothing in sound bytes', async () => {
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 0 })
  })

  test('a large file that changed is served no more, asked for, and healed by the same bytes', async () => {
    const content = await givenObject(world, owner, repo, givenContent(5000))
    await givenLink(world, repo, content)
    const open = () => openObject(world.ctx(owner), repo.id, content.sha256)
    const key = (await open()).key() ?? ''
    await flip(world, key)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 1 })
    expect(await faults(world)).toEqual([{ kind: 'lfs', key }])
    expect(await codeOf(open().then((object) => object.open()))).toBe('store-unavailable')
    expect((await findUsable(world.db, world.ctx(owner), [content.sha256])).size).toBe(0)
    await givenObject(world, owner, repo, content)
    expect(await collect(await (await open()).open(), 10_000)).toEqual(content.bytes)
    expect(await faults(world)).toEqual([])
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 0 })
  })

  test('a pack that changed answers a problem, and what other packs hold is still served', async () => {
    await givenCommit(world, owner, repo, [add('a.txt', 'a'.repeat(3000))])
    const [pack] = (await world.deps.git.openFresh(repo.id)).packs
    await givenCommit(world, owner, repo, [add('b.txt', 'second')])
    await flip(world, blobKeys.pack(repo.id, pack?.id ?? ''), 40)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 1 })
    expect(await codeOf(textOf(world, owner, repo, 'a.txt'))).toBe('store-unavailable')
    expect(await textOf(world, owner, repo, 'b.txt')).toBe('second')
    const found: string[] = []
    const options = { deep: false, repair: false, repoId: repo.id }
    for await (const { check } of gitCheck.run(world.deps, options)) found.push(check)
    expect(found).toContain('git.pack')
    const { blob_faults: f } = world.db.t
    await world.db.write(({ q }) => q.delete(f).where(eq(f.kind, 'packs')))
  })

  test('a chunk container that changed is forgotten, so that the next upload sends it', async () => {
    const site = await new ChunkSite().open(world, `sender${n}`)
    const put = () => site.ask('POST', `/v1/xorbs/default/${xorbHash}`, xorb)
    expect((await put()).status).toBe(200)
    const { chunk_xorbs: x } = world.db.t
    const [row] = await world.db.q.select().from(x)
    await flip(world, row?.key ?? '', 12)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 1 })
    expect(await world.db.q.$count(x)).toBe(0)
    expect((await put()).status).toBe(200)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 0 })
  })

  test('an image that changed is not shown', async () => {
    const image = await uploadAttachment(world.ctx(owner), fromChunks(png), png.length)
    const name = `${image.id}.${image.type}`
    expect(await openAttachment(world.ctx(owner), name)).toMatchObject({ id: image.id })
    await flip(world, blobKeys.attachment(image.id), 60)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 1 })
    expect(await codeOf(openAttachment(world.ctx(owner), name))).toBe('store-unavailable')
    const { blob_faults: f } = world.db.t
    await world.db.write(({ q }) => q.delete(f).where(eq(f.kind, 'attachments')))
  })

  test('a backup heals what was found damaged', async () => {
    await givenCommit(world, owner, repo, [add('a.txt', 'a'.repeat(3000))])
    const content = await givenObject(world, owner, repo, givenContent(4000))
    await givenLink(world, repo, content)
    const image = await uploadAttachment(world.ctx(owner), fromChunks(png), png.length)
    const place = new MemoryBlobStore()
    const report = () => undefined
    await backup(world.ctx(), place, { schema, isIncremental: false, report })
    const found = (await findBackup(place, undefined)) ?? expect.fail('no backup')
    const key = (await openObject(world.ctx(owner), repo.id, content.sha256)).key() ?? ''
    const [pack] = (await world.deps.git.openFresh(repo.id)).packs
    await flip(world, key)
    await flip(world, blobKeys.pack(repo.id, pack?.id ?? ''), 40)
    await flip(world, blobKeys.attachment(image.id), 60)
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 3 })
    for await (const healing of healFrom(world.ctx(), place, { found, scrubs }))
      if (healing.message !== 'the next upload of it heals this')
        expect(healing).toMatchObject({ isHealed: true })
    expect(await textOf(world, owner, repo, 'a.txt')).toBe('a'.repeat(3000))
    const object = await openObject(world.ctx(owner), repo.id, content.sha256)
    expect(await collect(await object.open(), 10_000)).toEqual(content.bytes)
    expect(await openAttachment(world.ctx(owner), `${image.id}.${image.type}`)).toMatchObject({
      id: image.id,
    })
    expect(await scrub(world, { all: true })).toMatchObject({ damaged: 0 })
  })

  test('reads a share each night, goes on where it was, and has read everything within 30 days', async () => {
    for (let i = 0; i < 40; i++) await givenObject(world, owner, repo)
    await scrub(world, { all: true })
    const { blob_scrubs: s } = world.db.t
    const row = async () => (await world.db.q.select().from(s).where(eq(s.kind, 'lfs')))[0]
    const began = (await row())?.finished_at
    const total = await world.db.q.$count(world.db.t.lfs_objects)
    let read = 0
    let nights = 0
    for (; (await row())?.finished_at?.getTime() === began?.getTime(); nights++) {
      pass(world, hours(24))
      const { objects } = await scrub(world)
      if (nights === 0) expect(objects).toBeLessThan(total)
      read += objects
    }
    expect(read).toBeGreaterThanOrEqual(total)
    expect(nights).toBeLessThanOrEqual(30)
    expect(nights).toBeGreaterThan(20)
  })
})
