import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { givenLink, givenObject, givenRepo, givenUpload } from '../../rooms/uploads/testing.ts'
import type { Sweep } from '../sweep.ts'
import { gcJob, touch } from './index.ts'
import { isTooMany } from './too-many.ts'
import { collect, hours, objectRow, pass, storedKeys, sweepRun } from './testing.ts'

const grace = hours(168)
eachDatabase('gc', (world) => {
  let made = 0
  let owner: UserActor
  let repo: Repo
  beforeEach(async () => {
    // What an earlier test left behind is collected before the next counts.
    for (let i = 0; i < 2; i++) {
      pass(world, 2 * grace)
      await collect(world)
    }
    owner = await givenUser(world, `user${++made}`)
    repo = await givenRepo(world, owner, 'a')
  })
  const isStored = async (sha256: string) =>
    (await storedKeys(world, `lfs/`)).some((key) => key.includes(sha256))

  test('an unused object is marked, kept for one grace period, then deleted with its bytes', async () => {
    const { sha256 } = await givenObject(world, owner, repo)
    await collect(world)
    expect((await objectRow(world, sha256))?.unreferenced_since).toBeNull()
    pass(world, grace + 1)
    expect((await collect(world)).lfs_objects).toMatchObject({ grants_expired: 1, marked: 1, deleted: 0 })
    expect((await objectRow(world, sha256))?.unreferenced_since).toEqual(world.clock.now)
    pass(world, grace - 1)
    expect((await collect(world)).lfs_objects).toMatchObject({ marked: 0, deleted: 0 })
    pass(world, 1)
    expect(await collect(world)).toMatchObject({ lfs_objects: { deleted: 1 }, blobs: { deleted: 1 } })
    expect(await objectRow(world, sha256)).toBeUndefined()
    expect(await isStored(sha256)).toBe(false)
  })

  test('a link keeps an object for ever', async () => {
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    for (let i = 0; i < 3; i++) {
      pass(world, grace + 1)
      expect((await collect(world)).lfs_objects).toMatchObject({ marked: 0, deleted: 0 })
    }
    expect(await isStored(content.sha256)).toBe(true)
  })

  test('a planned upload of the same bytes keeps an object', async () => {
    const { sha256, sizeBytes } = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    const expires_at = new Date(world.clock.now.getTime() + 2 * grace)
    await givenUpload(world, repo, owner, { sha256, sizeBytes }, { expires_at })
    pass(world, grace + 1)
    expect((await collect(world)).lfs_objects).toMatchObject({ unmarked: 1, deleted: 0 })
  })

  test('using a marked object in time saves it', async () => {
    const { sha256 } = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    pass(world, grace - 1)
    await world.db.write((tx) => touch(tx, [sha256], world.clock.now))
    pass(world, 2)
    expect((await collect(world)).lfs_objects).toMatchObject({ marked: 1, deleted: 0 })
    expect(await isStored(sha256)).toBe(true)
  })

  test('a dry run reports and changes nothing', async () => {
    const { sha256 } = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    pass(world, grace + 1)
    expect(await collect(world, { dryRun: true })).toMatchObject({
      dry_run: true,
      lfs_objects: { deleted: 1 },
    })
    expect(await objectRow(world, sha256)).toBeDefined()
    expect(await isStored(sha256)).toBe(true)
    await collect(world)
  })

  test('sweeps of other rooms run first, and their counts are in the report', async () => {
    const order: string[] = []
    const sweep: Sweep = {
      name: 'other',
      run: async (_, { dryRun }) => {
        order.push('other')
        return { dryRun }
      },
    }
    const job = {
      id: 'job',
      attempt: 1,
      progress: async () => undefined,
      admitEqual: async () => undefined,
      workOn: async () => undefined,
      log: () => undefined,
      ...sweepRun(world),
    }
    expect(await gcJob([sweep]).run(world.ctx(), {}, job)).toMatchObject({ other: { dryRun: false } })
    expect(order).toEqual(['other'])
  })

  test('deleting more than a fifth and more than a thousand objects is refused', async () => {
    const past = new Date(world.clock.now.getTime() - 3 * grace)
    await world.db.write(async ({ q, t }) => {
      const rows = Array.from({ length: 1001 }, (_, i) => {
        const sha256 = `f${made}`.padEnd(8, 'e') + i.toString(16).padStart(56, '0')
        return {
          sha256,
          key: `lfs/${sha256}.x`,
          size: 1,
          created_at: past,
          touched_at: past,
          unreferenced_since: past,
        }
      })
      for (let at = 0; at < rows.length; at += 200)
        await q.insert(t.lfs_objects).values(rows.slice(at, at + 200))
    })
    const report = await collect(world)
    expect(report.lfs_objects).toMatchObject({ doomed: 1001, aborted: true })
    const { lfs_objects: o } = world.db.t
    expect(await world.db.q.$count(o, eq(o.touched_at, past))).toBe(1001)
    await world.db.write(async ({ q, t }) => {
      await q.delete(t.lfs_objects).where(eq(o.touched_at, past))
    })
  })
})

test.each([
  [1000, 1000, false],
  [1001, 1001, true],
  [1001, 5005, false],
  [1002, 5005, true],
  [5, 10, false],
])('%i of %i: too many is %s', (doomed, total, expected) => {
  expect(isTooMany(doomed, total)).toBe(expected)
})
