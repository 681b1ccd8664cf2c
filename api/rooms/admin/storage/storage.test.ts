import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { givenContent } from '../../../core/lfs/testing.ts'
import { eachDatabase, givenOrg, givenUser } from '../../../testing.ts'
import { deleteRepo } from '../../repos/index.ts'
import { givenLink, givenObject, givenRepo } from '../../uploads/testing.ts'
import { getOverview } from '../overview.ts'
import { storageCount } from './count-storage.ts'
import { KEPT_DAYS } from './days.ts'
import { getStorage, startStorageCount } from './get-storage.ts'

const dayMs = 86_400_000

eachDatabase('what is stored over time', (world) => {
  let made = 0
  let root: UserActor
  let ada: UserActor
  beforeEach(async () => {
    root = await givenUser(world, `root${++made}`, { isAdmin: true })
    ada = await givenUser(world, `ada${made}`)
    await world.db.write(async ({ q, t }) => {
      for (const table of [t.storage_days, t.storage_tops, t.lfs_links, t.lfs_objects]) await q.delete(table)
    })
    later(1)
  })
  const later = (days: number) => (world.clock.now = new Date(world.clock.now.getTime() + days * dayMs))
  async function count() {
    // The overview keeps its figures for some seconds; a count takes none of them.
    await getOverview(world.ctx(root))
    await world.db.write((tx) => enqueue(tx, world.ctx(root), storageCount, {}))
    await runJobs(world.deps, [storageCount])
  }
  const report = (days = 90) => getStorage(world.ctx(root), days)
  async function store(bytes: number, name = `r${bytes}`) {
    const repo = await givenRepo(world, ada, name)
    const content = await givenObject(world, ada, repo, givenContent(bytes))
    await givenLink(world, repo, content)
    return { repo, content }
  }

  test('before the first count there is nothing, and no time of it', async () => {
    expect(await report()).toEqual({ countedAt: undefined, days: [], repos: [], namespaces: [] })
  })

  test('the last count of a day stands for it; a day without one is as the day before', async () => {
    await store(1000)
    await count()
    await store(500)
    await count()
    later(2)
    await store(7)
    await count()
    const { days, countedAt } = await report()
    expect(days.map(({ lfs_bytes }) => lfs_bytes)).toEqual([1500, 1500, 1507])
    expect(days.at(-1)?.day).toBe(world.clock.now.toISOString().slice(0, 10))
    expect(countedAt).toEqual(world.clock.now)
    later(1)
    expect((await report(2)).days.map(({ lfs_bytes }) => lfs_bytes)).toEqual([1507, 1507])
    expect((await report(1)).days).toHaveLength(1)
  })

  test('days beyond those that are kept are forgotten', async () => {
    await count()
    later(KEPT_DAYS - 1)
    await count()
    expect((await report(KEPT_DAYS)).days).toHaveLength(KEPT_DAYS)
    later(1)
    await count()
    const { q, t } = world.db
    expect(await q.$count(t.storage_days)).toBe(2)
  })

  test('the largest repos and namespaces are known; a shared file counts once for a namespace', async () => {
    const { repo: large, content } = await store(9000)
    const { repo: small } = await store(100)
    await givenLink(world, small, content)
    const org = await givenOrg(world, `org${made}`, ada)
    await count()
    const { repos, namespaces } = await report()
    const [first, second] = repos
    expect([first?.name, second?.name]).toEqual([small.name, large.name])
    expect((first?.bytes ?? 0) - (second?.bytes ?? 0)).toBe(100)
    expect(second?.bytes).toBeGreaterThanOrEqual(9000)
    expect(namespaces[0]).toMatchObject({ ns: ada.username, kind: 'user', quotaBytes: null })
    expect(namespaces[0]?.bytes).toBe((first?.bytes ?? 0) + (second?.bytes ?? 0) - 9000)
    expect(namespaces.map(({ ns }) => ns)).not.toContain(org.name)
  })

  test('a deleted repo still takes its bytes and is marked', async () => {
    const { repo } = await store(800)
    await deleteRepo(world.ctx(ada), { type: 'model', ns: repo.ns, name: repo.name })
    await count()
    expect((await report()).repos[0]).toMatchObject({ name: repo.name })
    expect((await report()).repos[0]?.deletedAt).not.toBeNull()
  })

  test('a count that has not ended is answered instead of another', async () => {
    const one = await startStorageCount(world.ctx(root))
    expect((await startStorageCount(world.ctx(root))).id).toBe(one.id)
    await runJobs(world.deps, [storageCount])
    expect((await startStorageCount(world.ctx(root))).id).not.toBe(one.id)
  })

  test('is for instance admins alone', async () => {
    await expect(getStorage(world.ctx(ada), 90)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(startStorageCount(world.ctx(ada))).rejects.toMatchObject({ code: 'forbidden' })
  })
})
