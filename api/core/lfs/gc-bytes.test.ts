import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import { newId } from '../../stores/db/index.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { blobKeys, fromChunks, StoreError } from '../../stores/storage/index.ts'
import type { FaultPlan } from '../../stores/storage/testing/fault-plan.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { givenLink, givenObject, givenRepo } from '../../rooms/uploads/testing.ts'
import { reserveKeys } from './index.ts'
import { collect, givenContent, hours, objectRow, overFaulty, pass, storedKeys } from './testing.ts'

const grace = hours(168)

eachDatabase('bytes and the gc job', (world) => {
  let made = 0
  let owner: UserActor
  let repo: Repo
  beforeEach(async () => {
    owner = await givenUser(world, `user${++made}`)
    repo = await givenRepo(world, owner, 'a')
  })
  const isStored = async (sha256: string) =>
    (await storedKeys(world, 'lfs/')).some((key) => key.includes(sha256))

  test('bytes whose put died are deleted when their reservation ends', async () => {
    const key = `lfs/aa/bb/${givenContent().sha256}.died`
    await world.db.write((tx) => reserveKeys(tx, world.ctx(), [key]))
    await world.blobs.put(key, fromChunks(Buffer.from('half')))
    pass(world, grace - 1)
    await collect(world)
    expect(await storedKeys(world)).toContain(key)
    pass(world, 1)
    await collect(world)
    expect(await storedKeys(world)).not.toContain(key)
  })

  test('bytes that a row names are never deleted, whatever lists them', async () => {
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    const key = (await objectRow(world, content.sha256))?.key ?? ''
    await world.db.write(async ({ q, t }) => {
      await q.insert(t.blob_deletions).values({ key, at: world.clock.now })
    })
    expect((await collect(world)).blobs).toEqual({ deleted: 0 })
    expect(await storedKeys(world)).toContain(key)
    const { blob_deletions: d } = world.db.t
    expect(await world.db.q.$count(d, eq(d.key, key))).toBe(0)
  })

  test.each([
    ['large file', () => `lfs/aa/bb/${givenContent().sha256}.stray`],
    ['pack', () => blobKeys.pack(newId(), newId())],
  ])('a stray %s goes once it is a week old; a young one stays', async (_, keyOf) => {
    const key = keyOf()
    const packs = await storedKeys(world, 'git/')
    await world.blobs.put(key, fromChunks(Buffer.from('stray')))
    const modifiedAt = (await world.blobs.stat(key))?.modifiedAt.getTime() ?? 0
    const before = world.clock.now
    world.clock.now = new Date(modifiedAt + hours(7 * 24) - 1000)
    await collect(world)
    expect(await storedKeys(world)).toContain(key)
    world.clock.now = new Date(modifiedAt + hours(7 * 24) + 1000)
    await collect(world)
    expect(await storedKeys(world)).not.toContain(key)
    expect(await storedKeys(world, 'git/')).toEqual(packs)
    world.clock.now = before
  })

  const failing = (operation: string, kindOfError: 'transient'): FaultPlan => {
    return (io) => (io.operation === operation ? { type: 'before', kind: kindOfError } : undefined)
  }

  test('a list that fails aborts before any byte is deleted', async () => {
    const content = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    pass(world, grace + 1)
    const ctx = overFaulty(world.ctx(), failing('list', 'transient'))
    await expect(collect(world, { ctx })).rejects.toBeInstanceOf(StoreError)
    expect(await isStored(content.sha256)).toBe(true)
    await collect(world)
    expect(await isStored(content.sha256)).toBe(false)
  })

  test('a delete that fails is tried again by the next job', async () => {
    const content = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    pass(world, grace + 1)
    const ctx = overFaulty(world.ctx(), failing('delete', 'transient'))
    await expect(collect(world, { ctx })).rejects.toBeInstanceOf(StoreError)
    expect(await isStored(content.sha256)).toBe(true)
    await collect(world)
    expect(await isStored(content.sha256)).toBe(false)
  })
})
