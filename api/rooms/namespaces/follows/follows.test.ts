import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenToken, givenUser } from '../../../testing.ts'
import { createUser, getNamespace } from '../index.ts'
import { deleteOrg } from '../delete-org.ts'
import { followNamespace, maxFollowed } from './follow.ts'
import { listFollowers, listFollowing, type Follow } from './list.ts'

eachDatabase('follows', (world) => {
  let ada: UserActor
  let bob: UserActor
  let made = 0
  const fresh = () => givenUser(world, `follower-${++made}`)
  const names = ({ items }: { items: Follow[] }) => items.map(({ ns }) => ns)
  const follow = (actor: UserActor, name: string, followed = true) => {
    world.clock.now = new Date(world.clock.now.getTime() + 1)
    return followNamespace(world.ctx(actor), name, followed)
  }
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    await givenOrg(world, 'acme', bob)
  })

  test('count once, are listed the latest first, and end', async () => {
    const one = await fresh()
    expect(await follow(one, 'ADA')).toEqual({ followed: true, followers: 1 })
    expect(await follow(one, 'ada')).toEqual({ followed: true, followers: 1 })
    await follow(one, 'acme')
    await follow(bob, 'ada')
    expect(names(await listFollowers(world.ctx(bob), 'ada', { limit: 10 }))).toEqual(['bob', one.username])
    const mine = await listFollowing(world.ctx(bob), one.username, { limit: 10 })
    expect(mine.items).toMatchObject([
      { ns: 'acme', kind: 'org', displayName: 'acme' },
      { ns: 'ada', kind: 'user' },
    ])
    const people = await listFollowing(world.ctx(bob), one.username, { limit: 10, kind: 'user' })
    expect(names(people)).toEqual(['ada'])
    expect((await getNamespace(world.ctx(one), 'ada')).follows).toEqual({
      followers: 2,
      following: 0,
      followed: true,
    })
    expect((await getNamespace(world.ctx(ada), one.username)).follows).toEqual({
      followers: 0,
      following: 2,
      followed: false,
    })
    expect(await follow(one, 'ada', false)).toEqual({ followed: false, followers: 1 })
    expect(await follow(one, 'ada', false)).toEqual({ followed: false, followers: 1 })
  })

  test('are listed by pages, also those of one moment', async () => {
    const star = await fresh()
    const fans = [await fresh(), await fresh(), await fresh()]
    for (const fan of fans) await followNamespace(world.ctx(fan), star.username, true)
    const seen: string[] = []
    let after: Awaited<ReturnType<typeof listFollowers>>['next']
    do {
      const page = await listFollowers(world.ctx(ada), star.username, { after, limit: 1 })
      seen.push(...names(page))
      after = page.next
    } while (after)
    expect(seen.toSorted()).toEqual(fans.map(({ username }) => username).toSorted())
  })

  test('are refused of oneself, of what is not there, to callers without an account, and to fenced tokens', async () => {
    await expect(follow(ada, 'ada')).rejects.toMatchObject({ code: 'state-conflict' })
    await expect(follow(ada, 'absent')).rejects.toMatchObject({ code: 'not-found' })
    await expect(followNamespace(world.ctx(anonymous), 'ada', true)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(listFollowing(world.ctx(ada), 'acme', { limit: 1 })).rejects.toMatchObject({
      code: 'not-found',
    })
    const { actor } = await givenToken(world, ada, { fence: { namespaces: ['acme'] } })
    await expect(followNamespace(world.ctx(actor), 'acme', true)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('end with the organisation', async () => {
    const org = await givenOrg(world, 'short-lived', bob)
    const one = await fresh()
    await follow(one, org.name)
    await deleteOrg(world.ctx(bob), org.name)
    const { q, t } = world.db
    expect(await q.$count(t.follows, eq(t.follows.namespace_id, org.id))).toBe(0)
    expect(names(await listFollowing(world.ctx(one), one.username, { limit: 10 }))).toEqual([])
  })

  test('of two people of each other at once are both kept', async () => {
    const [one, two] = [await fresh(), await fresh()]
    await Promise.all([follow(one, two.username), follow(two, one.username)])
    expect(names(await listFollowers(world.ctx(ada), one.username, { limit: 9 }))).toEqual([two.username])
    expect(names(await listFollowers(world.ctx(ada), two.username, { limit: 9 }))).toEqual([one.username])
  })

  test('have a limit, which two at once do not pass', async () => {
    const eager = await fresh()
    const rows: { follower_id: string; namespace_id: string; created_at: Date }[] = []
    for (let i = 1; i < maxFollowed; i++) {
      const { id } = await createUser(world.ctx(), { username: `crowd-${i}`, passwordHash: null })
      rows.push({ follower_id: eager.id, namespace_id: id, created_at: world.clock.now })
    }
    await world.db.write(async ({ q, t }) => {
      for (let i = 0; i < rows.length; i += 200) await q.insert(t.follows).values(rows.slice(i, i + 200))
    })
    const ends = await Promise.allSettled([follow(eager, 'ada'), follow(eager, 'bob')])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await world.db.q.$count(world.db.t.follows, eq(world.db.t.follows.follower_id, eager.id))).toBe(
      maxFollowed,
    )
  })
})
