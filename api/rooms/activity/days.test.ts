import { expect, test } from 'vitest'
import { anonymous, type Actor } from '../../core/access/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { appOf, eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { add, givenCommit } from '../content/testing.ts'
import { givenDiscussion } from '../discussions/testing.ts'
import { countActivityDays } from './days.ts'
import { mountActivity } from './handlers.ts'
import { listUserActivity } from './list.ts'

const DAY_MS = 86_400_000

eachDatabase('the days on which a person did something', (world) => {
  const read = (viewer: Actor, username: string, most?: number) =>
    countActivityDays(world.ctx(viewer), username, most)
  const listed = async (viewer: Actor, username: string) =>
    (await listUserActivity(world.ctx(viewer), username, { limit: 50 })).items.length

  test('count what the list shows to the same viewer', async () => {
    const [ann, ben] = [await givenUser(world, 'ann'), await givenUser(world, 'ben')]
    const open = await givenRepo(world, ann, { name: 'open', visibility: 'public' })
    const hidden = await givenRepo(world, ann, { name: 'hidden' })
    await givenCommit(world, ann, open, [add('a.txt', 'a')], { title: 'add a' })
    await givenCommit(world, ann, hidden, [add('a.txt', 'a')], { title: 'secret' })
    await givenDiscussion(world, ann, hidden, { title: 'Secret too' })
    await givenDiscussion(world, ben, open, { title: 'Not hers' })

    const [own, seen] = [await read(ann, 'ANN'), await read(ben, 'ann')]
    expect(own).toMatchObject({ total: 5, isPartial: false, days: [{ date: own.to, count: 5 }] })
    expect(seen).toMatchObject({ total: 2, days: [{ date: own.to, count: 2 }] })
    expect([await listed(ann, 'ann'), await listed(ben, 'ann')]).toEqual([5, 2])

    const { actor } = await givenToken(world, ann, {
      fence: { repos: [{ type: 'model', ns: 'ann', name: 'open' }] },
    })
    expect((await read(actor, 'ann')).total).toBe(2)
  })

  test('exist of people alone, for those who may see profiles', async () => {
    const cy = await givenUser(world, 'cy')
    await givenOrg(world, 'shop', cy)
    expect(await read(cy, 'cy')).toMatchObject({ total: 0, days: [] })
    await expect(read(anonymous, 'cy')).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(read(cy, 'unknown-name')).rejects.toMatchObject({ code: 'not-found' })
    await expect(read(cy, 'shop')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('go back 53 weeks that begin on Mondays, and end with today', async () => {
    const dee = await givenUser(world, 'dee')
    const repo = await givenRepo(world, dee, { name: 'old', visibility: 'public' })
    const now = world.clock.now
    const { from, to } = await read(dee, 'dee')
    expect(to).toBe(now.toISOString().slice(0, 10))
    expect(new Date(from).getUTCDay()).toBe(1)
    const span = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    expect(span).toBeGreaterThan(52 * 7)
    expect(span).toBeLessThanOrEqual(53 * 7)

    world.clock.now = new Date(now.getTime() + 10 * DAY_MS)
    await givenDiscussion(world, dee, repo, { title: 'Later?' })
    const later = await read(dee, 'dee')
    expect(later.days.map(({ count }) => count)).toEqual([1, 1])
    expect(later.days[1]?.date).toBe(later.to)
    world.clock.now = new Date(now.getTime() + 372 * DAY_MS)
    expect((await read(dee, 'dee')).days).toEqual([later.days[1]])
    world.clock.now = now
  })

  test('say when they do not hold everything', async () => {
    const eli = await givenUser(world, 'eli')
    for (let i = 0; i < 3; i++) await givenRepo(world, eli, { name: `r${i}`, visibility: 'public' })
    expect(await read(eli, 'eli', 3)).toMatchObject({ total: 3, isPartial: false })
    expect(await read(eli, 'eli', 2)).toMatchObject({ isPartial: true })
  })

  test('are answered as dates with counts', async () => {
    const fay = await givenUser(world, 'fay')
    await givenRepo(world, fay, { name: 'one', visibility: 'public' })
    const { secret } = await givenToken(world, fay, { scopes: ['read'] })
    const app = appOf(world, { native: [mountActivity] })
    const answer = await app.request(`${nativeBase}/users/fay/activity/days`, {
      headers: { Authorization: `Bearer ${secret}` },
    })
    expect(answer.status).toBe(200)
    const { from, to } = await read(fay, 'fay')
    expect(await answer.json()).toEqual({
      from,
      to,
      total: 1,
      is_partial: false,
      days: [{ date: to, count: 1 }],
    })
  })
})
