import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { collect as bytesOf, fromChunks } from '../../stores/storage/index.ts'
import { after, before, eachDatabase, givenUser, hold, untilBlocked } from '../../testing.ts'
import { completeUpload } from '../../rooms/uploads/complete/complete.ts'
import { storeObject } from '../../rooms/uploads/receive/store-object.ts'
import {
  claimsOf,
  givenLink,
  givenObject,
  givenRepo,
  givenUpload,
  sendPart,
} from '../../rooms/uploads/testing.ts'
import { dropLinks, findLinked, linkPointers, touch } from './index.ts'
import { collect, hours, objectRow, pass, type Content } from './testing.ts'

const grace = hours(168)

eachDatabase('a large file between two looks', (world) => {
  let made = 0
  let owner: UserActor
  let repo: Repo
  beforeEach(async () => {
    owner = await givenUser(world, `user${++made}`)
    repo = await givenRepo(world, owner, 'a')
  })
  const gc = (ctx: Ctx) => collect(world, { ctx })
  const rowOf = async ({ sha256 }: Content) => (await objectRow(world, sha256)) ?? expect.fail('no object')
  const upload = (content: Content) => (ctx: Ctx) =>
    storeObject(ctx, { repoId: repo.id, userId: owner.id }, content, fromChunks(content.bytes))

  async function expectWhole(content: Content): Promise<void> {
    const { key } = await rowOf(content)
    expect((await bytesOf(await world.blobs.read(key), 5000)).equals(content.bytes)).toBe(true)
  }

  /** An object that has not been used for so long that the next `gc` deletes it. */
  async function doomed() {
    const content = await givenObject(world, owner, repo)
    pass(world, grace + 1)
    await collect(world)
    pass(world, grace + 1)
    return { content, first: (await rowOf(content)).key }
  }
  const afterCount = after(/^select count\(\*\).* from "lfs_objects"/)

  test('an object that is used after gc has seen it doomed is kept', async () => {
    const { content, first } = await doomed()
    const sweep = await hold(world.ctx(), afterCount, gc)
    await givenLink(world, repo, content)
    await sweep.resume()
    expect((await rowOf(content)).key).toBe(first)
    await expectWhole(content)
  })

  test('so is one that is uploaded again at that moment, and the second copy goes', async () => {
    const { content, first } = await doomed()
    const sweep = await hold(world.ctx(), afterCount, gc)
    await upload(content)(world.ctx(owner))
    await sweep.resume()
    expect((await rowOf(content)).key).toBe(first)
    await expectWhole(content)
  })

  test('one that is uploaded again while it goes is there again, under a key that gc does not know', async () => {
    for (const point of [before('delete', { key: /^lfs\// }), after('delete', { key: /^lfs\// })]) {
      const { content, first } = await doomed()
      const sweep = await hold(world.ctx(), point, gc)
      await upload(content)(world.ctx(owner))
      await sweep.resume()
      expect((await rowOf(content)).key).not.toBe(first)
      expect(await world.blobs.stat(first)).toBeUndefined()
      await collect(world)
      await expectWhole(content)
    }
  })

  test('one that goes between the bytes of an upload and their row is there again as well', async () => {
    const { content, first } = await doomed()
    const second = await hold(world.ctx(owner), before('write', { nth: 2 }), upload(content))
    await collect(world)
    expect(await objectRow(world, content.sha256)).toBeUndefined()
    await second.resume()
    expect((await rowOf(content)).key).not.toBe(first)
    await expectWhole(content)
  })

  /** The same bytes on their way once more, whose parts are about to be joined. */
  async function joiningAgain(content: Content) {
    const again = await givenUpload(world, repo, owner, content, { part_size: 500 })
    for (const n of [1, 2]) await sendPart(world.ctx(owner), again, content, n)
    const parts = await claimsOf(world, again.id)
    return hold(world.ctx(owner), before('put'), (ctx) => completeUpload(ctx, again.id, parts))
  }

  test('one whose bytes a completion joins again is kept, whether that began before gc or while it ran', async () => {
    for (const isBefore of [true, false]) {
      const { content, first } = await doomed()
      const early = isBefore ? await joiningAgain(content) : undefined
      const sweep = await hold(world.ctx(), afterCount, gc)
      const joining = early ?? (await joiningAgain(content))
      await sweep.resume()
      expect((await rowOf(content)).key).toBe(first)
      await joining.resume()
      expect((await rowOf(content)).key).toBe(first)
      await expectWhole(content)
    }
  })

  test('one that was used within the grace period is kept however long it has been marked', async () => {
    const { content, first } = await doomed()
    const { lfs_objects: o } = world.db.t
    await world.db.write(({ q }) =>
      q.update(o).set({ touched_at: world.clock.now }).where(eq(o.sha256, content.sha256)),
    )
    await collect(world)
    expect((await rowOf(content)).key).toBe(first)
    await expectWhole(content)
  })

  if (world.engine === 'postgres')
    test('one that a transaction uses is kept by a gc that waits for it', async () => {
      const { content, first } = await doomed()
      const using = await hold(world.ctx(), after(/^update "lfs_objects"/), ({ db, now }) =>
        db.write((tx) => touch(tx, [content.sha256], now())),
      )
      const sweep = collect(world)
      await untilBlocked(world.db, sweep)
      await using.resume()
      await sweep
      expect((await rowOf(content)).key).toBe(first)
      await expectWhole(content)
    })

  test('a link that was used again since its pointers were counted is not dropped as stale', async () => {
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    pass(world, 1)
    const began = world.clock.now
    const drop = () => world.db.write((tx) => dropLinks(tx, repo.id, [content.sha256], began))
    pass(world, 1)
    await world.db.write((tx) => linkPointers(tx, repo.id, [content], world.clock.now))
    expect(await drop()).toBe(0)
    expect([...(await findLinked(world.db, repo.id, [content.sha256]))]).toEqual([content.sha256])
    await world.db.write(({ q, t }) => q.update(t.lfs_links).set({ added_at: new Date(began.getTime() - 1) }))
    expect(await drop()).toBe(1)
  })
})
