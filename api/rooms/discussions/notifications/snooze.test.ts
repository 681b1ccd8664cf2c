import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import type { Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { givenDiscussion } from '../testing.ts'
import { countUnread, listNotifications } from './list.ts'
import { markRead } from './mark-read.ts'
import { snooze } from './snooze.ts'

const hour = 3_600_000
const day = 24 * hour

eachDatabase('snoozed notifications', (world) => {
  let ada: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    num = await givenDiscussion(world, ada, repo)
  })
  const later = (ms: number) => new Date(world.clock.now.getTime() + ms)
  const pass = (ms: number) => (world.clock.now = later(ms))
  const list = async (actor: UserActor, query: { isSnoozed?: boolean; isUnread?: boolean } = {}) =>
    (await listNotifications(world.ctx(actor), { limit: 50, ...query })).items
  const excerpts = async (actor: UserActor, query?: { isSnoozed?: boolean; isUnread?: boolean }) =>
    (await list(actor, query)).map(({ excerpt }) => excerpt)
  const unread = (actor: UserActor) => countUnread(world.ctx(actor), 100)
  /** A person who is mentioned once a minute: `1 @name`, `2 @name` and so on; answers the ids. */
  const mentioned = async (name: string, times: number) => {
    const actor = await givenUser(world, name)
    const ids: string[] = []
    for (let i = 1; i <= times; i++) {
      pass(60_000)
      ids.push((await comment(world.ctx(ada), repo, num, `${i} @${name}`)).id)
    }
    return { actor, ids }
  }

  test('what is put away is neither listed nor counted, and comes back unread at the top when its time has come', async () => {
    const { actor: bob, ids } = await mentioned('bob', 3)
    await markRead(world.ctx(bob), [ids[0]!])
    await snooze(world.ctx(bob), [ids[0]!, ids[1]!], later(hour))
    expect(await excerpts(bob)).toEqual(['3 @bob'])
    expect(await excerpts(bob, { isUnread: true })).toEqual(['3 @bob'])
    expect(await unread(bob)).toBe(1)
    expect(await list(bob, { isSnoozed: true })).toMatchObject([
      { excerpt: '1 @bob', snoozedUntil: later(hour), readAt: null },
      { excerpt: '2 @bob' },
    ])
    pass(hour - 1)
    expect(await excerpts(bob)).toEqual(['3 @bob'])
    pass(1)
    expect(await excerpts(bob)).toEqual(['2 @bob', '1 @bob', '3 @bob'])
    expect(await excerpts(bob, { isUnread: true })).toEqual(['2 @bob', '1 @bob', '3 @bob'])
    expect(await unread(bob)).toBe(3)
    expect(await list(bob, { isSnoozed: true })).toEqual([])
    await markRead(world.ctx(bob), [ids[1]!])
    pass(60_000)
    await comment(world.ctx(ada), repo, num, '4 @bob')
    expect(await excerpts(bob)).toEqual(['4 @bob', '2 @bob', '1 @bob', '3 @bob'])
    expect(await unread(bob)).toBe(3)
  })

  test('pages go on where they ended, in the list and in that of what is put away', async () => {
    const { actor: cyd, ids } = await mentioned('cyd', 6)
    await snooze(world.ctx(cyd), [ids[0]!, ids[1]!], later(hour))
    pass(hour)
    await snooze(world.ctx(cyd), [ids[2]!, ids[3]!], later(2 * day))
    await snooze(world.ctx(cyd), [ids[4]!], later(day))
    const paged = async (isSnoozed: boolean) => {
      const pages: string[][] = []
      let after
      do {
        const { items, next } = await listNotifications(world.ctx(cyd), { limit: 2, after, isSnoozed })
        pages.push(items.map(({ excerpt }) => excerpt))
        after = next
      } while (after)
      return pages
    }
    expect(await paged(false)).toEqual([['2 @cyd', '1 @cyd'], ['6 @cyd']])
    expect(await paged(true)).toEqual([['5 @cyd', '3 @cyd'], ['4 @cyd']])
  })

  test('it is brought back at once, and can be put away for another time', async () => {
    const { actor: dan, ids } = await mentioned('dan', 2)
    await snooze(world.ctx(dan), [ids[0]!], later(day))
    await snooze(world.ctx(dan), [ids[0]!], later(2 * day))
    expect(await list(dan, { isSnoozed: true })).toMatchObject([{ snoozedUntil: later(2 * day) }])
    await markRead(world.ctx(dan), [ids[1]!])
    pass(60_000)
    await snooze(world.ctx(dan), ids, null)
    expect(await list(dan)).toMatchObject([
      { excerpt: '1 @dan', readAt: null },
      { excerpt: '2 @dan', readAt: expect.any(Date), snoozedUntil: null },
    ])
  })

  test('to mark all as read leaves it unread for its time, and entries that follow in its thread notify', async () => {
    const { actor: eve, ids } = await mentioned('eve', 1)
    await comment(world.ctx(eve), repo, num, 'I take part')
    await snooze(world.ctx(eve), ids, later(hour))
    await markRead(world.ctx(eve))
    await markRead(world.ctx(eve), ids)
    await comment(world.ctx(ada), repo, num, 'One more')
    expect(await excerpts(eve, { isUnread: true })).toEqual(['One more'])
    pass(hour)
    expect(await excerpts(eve, { isUnread: true })).toEqual(['1 @eve', 'One more'])
  })

  test('a moment lies in the future and within a year, and only what is the caller’s own is put away', async () => {
    const { actor: fay, ids } = await mentioned('fay', 1)
    const code = 'validation-failed'
    await expect(snooze(world.ctx(fay), ids, world.clock.now)).rejects.toMatchObject({ code })
    await expect(snooze(world.ctx(fay), ids, later(367 * day))).rejects.toMatchObject({ code })
    await snooze(world.ctx(await givenUser(world, 'gus')), ids, later(day))
    const { actor: reader } = await givenToken(world, fay, { scopes: ['read'] })
    await expect(snooze(world.ctx(reader), ids, later(day))).rejects.toMatchObject({
      code: 'insufficient-scope',
    })
    expect(await excerpts(fay)).toEqual(['1 @fay'])
    await snooze(world.ctx(fay), ids, later(365 * day))
    expect(await unread(fay)).toBe(0)
  })
})
