import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { MemoryBlobStore } from '../../stores/storage/testing/memory.ts'
import { after, eachDatabase, givenUser, hold } from '../../testing.ts'
import { givenObject, givenRepo } from '../../rooms/uploads/testing.ts'
import { workOffDeletions } from './deletions.ts'
import { sweepObjects } from './sweep-objects.ts'
import { sweepStrays } from './sweep-strays.ts'
import { collect, hours, objectRow, pass, storedKeys, sweepRun } from './testing.ts'

const grace = hours(168)

eachDatabase('a gc that is stopped', (world) => {
  let made = 0
  let owner: UserActor
  let repo: Repo
  beforeEach(async () => {
    owner = await givenUser(world, `user${++made}`)
    repo = await givenRepo(world, owner, 'a')
  })

  test('deletes no further object', async () => {
    const { sha256 } = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    pass(world, grace + 1)
    const stop = new AbortController()
    const sweep = (ctx: Ctx) => sweepObjects(ctx, { ...sweepRun(world), signal: stop.signal })
    const held = await hold(world.ctx(), after(/^select count\(\*\).* from "lfs_objects"/), sweep)
    stop.abort(new Error('stopped'))
    await expect(held.resume()).rejects.toThrow('stopped')
    expect(await objectRow(world, sha256)).toBeDefined()
  })

  test('deletes no further bytes', async () => {
    const key = 'lfs/aa/bb/stopped'
    await world.blobs.put(key, fromChunks(Buffer.from('unused')))
    await world.db.write(({ q, t }) => q.insert(t.blob_deletions).values({ key, at: world.clock.now }))
    const run = sweepRun(world)
    const stopped = { ...run, signal: AbortSignal.abort(new Error('stopped')) }
    await expect(workOffDeletions(world.ctx(), stopped)).rejects.toThrow('stopped')
    expect(await storedKeys(world, key)).toEqual([key])
    expect(await workOffDeletions(world.ctx(), run)).toBe(1)
    expect(await storedKeys(world, key)).toEqual([])
  })
})

eachDatabase('many stray blobs', (world) => {
  test('are refused above a thousand, and counted once each and listed for deletion below', async () => {
    const blobs = new MemoryBlobStore()
    const ctx = { ...world.ctx(), blobs }
    const keys = Array.from({ length: 1001 }, (_, i) => `lfs/aa/bb/stray-${String(i).padStart(4, '0')}`)
    for (const key of keys) await blobs.put(key, fromChunks(Buffer.from('x')))
    const last = await blobs.stat(keys.at(-1) ?? '')
    world.clock.now = new Date((last?.modifiedAt.getTime() ?? 0) + hours(7 * 24) + 1000)
    const listed = () => world.db.q.$count(world.db.t.blob_deletions)
    expect(await sweepStrays(ctx, sweepRun(world))).toEqual({ found: 1001, aborted: true })
    expect(await listed()).toBe(0)
    for (const key of keys.slice(600)) await blobs.delete(key)
    expect(await sweepStrays(ctx, sweepRun(world))).toEqual({ found: 600 })
    expect(await listed()).toBe(600)
  })
})
