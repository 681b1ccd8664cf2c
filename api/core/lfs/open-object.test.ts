import { expect, test } from 'vitest'
import { collect } from '../../stores/storage/index.ts'
import { after, eachDatabase, givenUser, hold } from '../../testing.ts'
import { givenLink, givenObject, givenRepo } from '../../rooms/uploads/testing.ts'
import { linkArrived, markAbsent, openObject, openObjects } from './index.ts'
import { givenContent } from './testing.ts'

eachDatabase('large files', (world) => {
  let made = 0

  test('are opened through a repo that holds them, and missing through every other', async () => {
    const [owner, reader] = [await givenUser(world, 'owner'), await givenUser(world, 'reader')]
    const repo = await givenRepo(world, owner, 'holds', { visibility: 'public' })
    const other = await givenRepo(world, owner, 'other', { visibility: 'public' })
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    const here = await openObject(world.ctx(reader), repo.id, content.sha256)
    expect(here).toMatchObject({ presence: 'present', sizeBytes: content.sizeBytes })
    expect((await collect(await here.open(), content.sizeBytes)).equals(content.bytes)).toBe(true)
    const part = await here.open({ offset: 10, length: 5 })
    expect((await collect(part, 5)).equals(content.bytes.subarray(10, 15))).toBe(true)
    const there = await openObject(world.ctx(reader), other.id, content.sha256)
    expect(there.presence).toBe('missing')
    expect(() => there.key()).toThrowError(expect.objectContaining({ code: 'store-unavailable' }))
    await expect(there.open()).rejects.toMatchObject({ code: 'store-unavailable', retryAfterS: 60 })
  })

  test('are answered one for each hash, also for those that were never sent', async () => {
    const owner = await givenUser(world, 'one')
    const repo = await givenRepo(world, owner, 'many')
    const [stored, unknown] = [await givenObject(world, owner, repo), givenContent()]
    const found = await openObjects(world.ctx(owner), repo.id, [stored.sha256, unknown.sha256, stored.sha256])
    expect([...found].map(([sha256, { presence }]) => [sha256, presence])).toEqual([
      [stored.sha256, 'present'],
      [unknown.sha256, 'missing'],
    ])
  })

  test.each([
    ['is found absent', /from "lfs_absent"/],
    ['is looked for', /from "lfs_objects"/],
  ])('that arrive while it %s are opened', async (_, step) => {
    const owner = await givenUser(world, `late-${made++}`)
    const repo = await givenRepo(world, owner, 'mirror')
    const content = givenContent()
    await world.db.write((tx) => markAbsent(tx, repo.id, [content], world.clock.now))
    const opening = await hold(world.ctx(owner), after(step), (ctx) =>
      openObject(ctx, repo.id, content.sha256),
    )
    await givenObject(world, owner, repo, content)
    await world.db.write((tx) => linkArrived(tx, repo.id, [content.sha256], world.clock.now))
    const opened = await opening.resume()
    expect(opened.presence).toBe('present')
    expect((await collect(await opened.open(), content.sizeBytes)).equals(content.bytes)).toBe(true)
  })
})
