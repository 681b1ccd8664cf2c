import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { newId } from '../../../stores/db/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { unwatchRepo, watchRepo } from '../../repos/watches/watch.ts'
import { comment } from '../comment.ts'
import { editComment } from '../edit-comment.ts'
import { givenDiscussion } from '../testing.ts'
import { updateDiscussion } from '../update.ts'
import { listNotifications } from './list.ts'
import { muteDiscussion } from './mute.ts'

eachDatabase('those who watch a repo', (world) => {
  let ada: UserActor
  let bob: UserActor
  let made = 0
  const fresh = () => givenUser(world, `watcher-${++made}`)
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
  })
  const given = () => givenRepo(world, ada, { visibility: 'public' })
  const heardBy = async (actor: UserActor, repo: Repo) =>
    (await listNotifications(world.ctx(actor), { limit: 50 })).items
      .filter((item) => item.repo.name === repo.name)
      .map(({ reason, type, excerpt }) => [reason, type, excerpt])

  test('hear of what is opened, or of all that follows, but not of what they write', async () => {
    const [repo, all, some, none] = [await given(), await fresh(), await fresh(), await fresh()]
    await watchRepo(world.ctx(all), repo, 'all')
    await watchRepo(world.ctx(some), repo, 'discussions')
    await watchRepo(world.ctx(none), repo, 'all')
    await unwatchRepo(world.ctx(none), repo)
    const num = await givenDiscussion(world, bob, repo, { body: 'Hello' })
    await comment(world.ctx(ada), repo, num, 'Welcome')
    await comment(world.ctx(all), repo, num, 'My own')
    await updateDiscussion(world.ctx(ada), repo, num, { status: 'closed' })
    expect(await heardBy(all, repo)).toEqual([
      ['taking_part', 'status_change', ''],
      ['watching', 'comment', 'Welcome'],
      ['watching', 'comment', 'Hello'],
    ])
    expect(await heardBy(some, repo)).toEqual([['watching', 'comment', 'Hello']])
    expect(await heardBy(none, repo)).toEqual([])
  })

  test('hear once, for the closest reason', async () => {
    const [repo, one] = [await given(), await fresh()]
    await watchRepo(world.ctx(ada), repo, 'all')
    await watchRepo(world.ctx(one), repo, 'all')
    const num = await givenDiscussion(world, bob, repo, { body: `@${one.username}` })
    await comment(world.ctx(bob), repo, num, '@ada')
    expect(await heardBy(ada, repo)).toEqual([
      ['mention', 'comment', '@ada'],
      ['repo', 'comment', `@${one.username}`],
    ])
    expect(await heardBy(one, repo)).toEqual([
      ['watching', 'comment', '@ada'],
      ['mention', 'comment', `@${one.username}`],
    ])
  })

  test('keep hearing of an entry that mentions them no more, as far as they watch', async () => {
    const [repo, all, some] = [await given(), await fresh(), await fresh()]
    await watchRepo(world.ctx(all), repo, 'all')
    await watchRepo(world.ctx(some), repo, 'discussions')
    const num = await givenDiscussion(world, bob, repo, { body: 'Hello' })
    const both = `@${all.username} @${some.username}`
    const { id } = await comment(world.ctx(bob), repo, num, both)
    await editComment(world.ctx(bob), repo, { num, id }, 'Never mind')
    expect(await heardBy(all, repo)).toEqual([
      ['watching', 'comment', 'Never mind'],
      ['watching', 'comment', 'Hello'],
    ])
    expect(await heardBy(some, repo)).toEqual([['watching', 'comment', 'Hello']])
  })

  test('hear of mentions alone where they ignore it, in their own repos and threads too', async () => {
    const owner = await fresh()
    const [member, invited] = [await fresh(), await fresh()]
    const org = await givenOrg(world, `org-${made}`, owner, [[member, 'write']])
    const repo = await givenRepo(world, owner, { ns: org.name, visibility: 'public' })
    const { collaborators: c } = world.db.t
    await world.db.write(({ q }) =>
      q.insert(c).values({ repo_id: repo.id, user_id: invited.id, role: 'write' }),
    )
    const own = await givenRepo(world, owner, { visibility: 'public' })
    for (const actor of [owner, member, invited]) await watchRepo(world.ctx(actor), repo, 'ignore')
    await watchRepo(world.ctx(owner), own, 'ignore')
    await givenDiscussion(world, bob, own, { body: 'Hello' })
    expect(await heardBy(owner, own)).toEqual([])
    const num = await givenDiscussion(world, bob, repo, { body: 'Hello' })
    await comment(world.ctx(member), repo, num, 'I wrote here')
    await comment(world.ctx(bob), repo, num, 'An answer')
    for (const actor of [owner, member, invited]) expect(await heardBy(actor, repo)).toEqual([])
    const said = await comment(world.ctx(bob), repo, num, `@${member.username}`)
    expect(await heardBy(member, repo)).toEqual([['mention', 'comment', `@${member.username}`]])
    await editComment(world.ctx(bob), repo, { num, id: said.id }, 'Never mind')
    expect(await heardBy(member, repo)).toEqual([])
  })

  test('hear no more of a muted thread, nor of what they may not see', async () => {
    const [repo, one] = [await given(), await fresh()]
    await watchRepo(world.ctx(one), repo, 'all')
    const num = await givenDiscussion(world, bob, repo, { body: 'Hello' })
    await muteDiscussion(world.ctx(one), repo, num, true)
    await comment(world.ctx(bob), repo, num, 'Unheard')
    expect(await heardBy(one, repo)).toEqual([['watching', 'comment', 'Hello']])
    await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    await givenDiscussion(world, ada, repo, { body: 'Secret' })
    expect(await heardBy(one, repo)).toEqual([])
  })

  test('are at most 200 for one entry, the latest first', async () => {
    const [repo, early, late] = [await given(), await fresh(), await fresh()]
    await watchRepo(world.ctx(early), repo, 'all')
    const { repo_watches: w, discussion_mentions: m } = world.db.t
    const at = (ms: number) => new Date(world.clock.now.getTime() + ms)
    const rows = Array.from({ length: 200 }, (_, i) => ({
      repo_id: repo.id,
      user_id: newId(),
      level: 'all' as const,
      created_at: at(1 + i),
    }))
    await world.db.write(({ q }) => q.insert(w).values(rows))
    world.clock.now = at(1000)
    await watchRepo(world.ctx(late), repo, 'all')
    await givenDiscussion(world, bob, repo, { body: 'Hello' })
    expect(await heardBy(late, repo)).toEqual([['watching', 'comment', 'Hello']])
    expect(await heardBy(early, repo)).toEqual([])
    const [first] = (await listNotifications(world.ctx(late), { limit: 1 })).items
    const watching = and(eq(m.event_id, first?.id ?? ''), eq(m.reason, 'watching'))
    expect(await world.db.q.$count(m, watching)).toBe(200)
  })
})
