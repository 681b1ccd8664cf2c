import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { codeOf } from '../../../core/lfs/testing.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { appOf, eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { createBranch } from '../../content/index.ts'
import { givenCollection } from '../../collections/testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import { comment, mergePullRequest, updateDiscussion } from '../../discussions/index.ts'
import { muteDiscussion } from '../../discussions/notifications/mute.ts'
import { givenDiscussion, givenPullRequest, givenTexts } from '../../discussions/testing.ts'
import { followNamespace } from '../../namespaces/follows/follow.ts'
import { deleteRepo, updateRepo, type Repo } from '../../repos/index.ts'
import { watchRepo } from '../../repos/watches/watch.ts'
import { mountActivity } from '../handlers.ts'
import type { FeedEntry } from './entry.ts'
import { feedDays, listFeed, type FeedPosition } from './list.ts'

const dayMs = 86_400_000

eachDatabase('the feed', (world) => {
  let reader: UserActor
  let ann: UserActor
  let ben: UserActor
  let made = 0
  beforeEach(async () => {
    made++
    reader = await givenUser(world, `reader-${made}`)
    ann = await givenUser(world, `ann-${made}`)
    ben = await givenUser(world, `ben-${made}`)
  })

  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const follow = (name: string, isFollowed = true) => followNamespace(world.ctx(reader), name, isFollowed)
  const push = (actor: UserActor, repo: Repo, title: string) =>
    givenCommit(world, actor, repo, [add('a.txt', `${title} ${Math.random()}`)], { title })
  const given = (owner: UserActor, name: string, more = {}) =>
    givenRepo(world, owner, { name, visibility: 'public', ...more })
  const admit = (repo: Repo, actor: UserActor) =>
    world.db.write(({ q, t: { collaborators: c } }) =>
      q.insert(c).values({ repo_id: repo.id, user_id: actor.id, role: 'write' }),
    )
  const said = ({ repo, collection, author, commit, commits, discussion, thread }: FeedEntry) => {
    if (!repo) return `collection ${collection?.title} by ${author?.split('-')[0]}`
    return thread
      ? `${repo.name}: ${author?.split('-')[0]} ${thread.deed} ${discussion?.title} ${thread.comments}`
      : `${repo.name}: ${commit?.title ?? 'created'} ${commits}`
  }
  const shown = async (actor = reader) => {
    const { items } = await listFeed(world.ctx(actor), { limit: 50 })
    return items.map(said)
  }
  const say = (actor: UserActor, repo: Repo, num: number) => comment(world.ctx(actor), repo, num, 'I say.')

  test('is empty at first, and has what a followed person made and committed, until they are unfollowed', async () => {
    const [own, other] = [await given(ann, 'own'), await given(ben, 'other')]
    await admit(other, ann)
    await admit(own, ben)
    await push(ann, own, 'one')
    await push(ann, other, 'hers')
    await push(ben, other, 'not hers')
    await push(ben, own, 'nor this')
    await givenDiscussion(world, ann, own, { title: 'Not a part of it' })
    expect(await shown()).toEqual([])
    await follow(ann.username)
    expect(await shown()).toEqual(['other: hers 1', 'own: one 1', 'own: created 0'])
    const { items } = await listFeed(world.ctx(reader), { limit: 1 })
    expect(items).toMatchObject([
      { author: ann.username, repo: { ns: ben.username }, commit: { branch: 'main' } },
    ])
    await follow(ann.username, false)
    expect(await shown()).toEqual([])
  })

  test('has what happens in the repos of a followed organisation, but not what one did oneself', async () => {
    const org = await givenOrg(world, `org-${made}`, ann, [[reader, 'write']])
    const repo = await given(ann, 'shared', { ns: org.name })
    await given(reader, 'mine', { ns: org.name })
    await follow(org.name)
    await push(ann, repo, 'theirs')
    await push(reader, repo, 'mine')
    expect(await shown()).toEqual(['shared: theirs 1', 'shared: created 0'])
  })

  test('has the commits of watched repos, and nothing of ignored ones', async () => {
    const [watched, ignored] = [await given(ben, 'watched'), await given(ann, 'ignored')]
    await follow(ann.username)
    await watchRepo(world.ctx(reader), watched, 'discussions')
    await watchRepo(world.ctx(reader), ignored, 'ignore')
    await admit(watched, ann)
    await push(ben, watched, 'seen')
    await push(ann, watched, 'seen once')
    await push(ann, ignored, 'unseen')
    expect(await shown()).toEqual(['watched: seen once 2'])
  })

  test('has what others did in repos that are one’s own, that one writes to, and of one’s organisations', async () => {
    const org = await givenOrg(world, `org-${made}`, ann, [[reader, 'read']])
    const repos = {
      own: await given(reader, 'own', { visibility: 'private' }),
      written: await given(ben, 'written'),
      joined: await given(ann, 'joined', { ns: org.name, visibility: 'private' }),
      strange: await given(ben, 'strange'),
    }
    await admit(repos.own, ann)
    await admit(repos.written, reader)
    for (const repo of [repos.own, repos.joined]) await push(ann, repo, 'theirs')
    for (const repo of [repos.written, repos.strange]) await push(ben, repo, 'theirs')
    await push(reader, repos.own, 'mine')
    later(dayMs)
    for (const repo of [repos.written, repos.strange]) await givenDiscussion(world, ben, repo, { title: 'T' })
    for (const repo of [repos.own, repos.joined]) await givenDiscussion(world, ann, repo, { title: 'T' })
    await givenDiscussion(world, reader, repos.own, { title: 'Mine' })
    expect(await shown()).toEqual([
      'joined: ann opened T 0',
      'own: ann opened T 0',
      'written: ben opened T 0',
      'written: theirs 1',
      'joined: theirs 1',
      'own: theirs 1',
      'joined: created 0',
    ])
    await world.db.write(async ({ q, t: { collaborators: c, members: m } }) => {
      await q.delete(c).where(eq(c.user_id, reader.id))
      await q.delete(m).where(eq(m.user_id, reader.id))
    })
    const roles = new Map([...reader.roles].filter(([id]) => id !== org.id))
    expect(await shown({ ...reader, roles })).toEqual(['own: ann opened T 0', 'own: theirs 1'])
  })

  test('has what others do in threads that one wrote in and of watched repos, a line for each day', async () => {
    const repo = await given(ben, 'forum')
    const mine = await givenDiscussion(world, reader, repo, { title: 'Mine' })
    const joined = await givenDiscussion(world, ann, repo, { title: 'Joined' })
    const other = await givenDiscussion(world, ann, repo, { title: 'Other' })
    await say(reader, repo, joined)
    for (const actor of [ben, ann, reader]) await say(actor, repo, mine)
    await say(ben, repo, other)
    expect(await shown()).toEqual(['forum: ann commented Mine 2', 'forum: ann opened Joined 0'])
    later(dayMs)
    await updateDiscussion(world.ctx(ben), repo, joined, { status: 'closed', comment: 'Enough.' })
    expect(await shown()).toEqual([
      'forum: ben closed Joined 1',
      'forum: ann commented Mine 2',
      'forum: ann opened Joined 0',
    ])
    await muteDiscussion(world.ctx(reader), repo, joined, true)
    expect(await shown()).toEqual(['forum: ann commented Mine 2'])
    await watchRepo(world.ctx(reader), repo, 'discussions')
    expect(await shown()).toEqual(['forum: ben commented Other 1', 'forum: ann commented Mine 2'])
    await watchRepo(world.ctx(reader), repo, 'ignore')
    expect(await shown()).toEqual([])
  })

  test('says how a pull request went on', async () => {
    const repo = await given(reader, 'mine')
    await push(reader, repo, 'first')
    const num = await givenPullRequest(world, ann, repo, { x: '1' }, { title: 'X' })
    const deeds = async () => (await shown()).filter((line) => line.includes(' X '))
    const change = (status: 'open' | 'closed') => updateDiscussion(world.ctx(ann), repo, num, { status })
    expect(await deeds()).toEqual(['mine: ann opened X 0'])
    await change('closed')
    expect(await deeds()).toEqual(['mine: ann closed X 0'])
    await change('open')
    expect(await deeds()).toEqual(['mine: ann reopened X 0'])
    const draft = (isDraft: boolean) => updateDiscussion(world.ctx(ann), repo, num, { draft: isDraft })
    await draft(true)
    expect(await deeds()).toEqual(['mine: ann drafted X 0'])
    await draft(false)
    expect(await deeds()).toEqual(['mine: ann ready X 0'])
    await givenTexts(world, ann, repo, `refs/pr/${num}`, { x: '2' })
    await admit(repo, ben)
    await mergePullRequest(world.ctx(ben), repo, num)
    expect((await shown()).slice(0, 2)).toEqual(['mine: ben merged X 0', 'mine: X (#1) 1'])
  })

  test('has the collections of followed people and of one’s organisations, as far as one may see them', async () => {
    const org = await givenOrg(world, `org-${made}`, ann, [[reader, 'read']])
    const make = (actor: UserActor, title: string, more = {}) =>
      givenCollection(world, actor, [], { title, ...more })
    await make(ben, 'Not followed')
    await make(reader, 'Mine')
    await make(ann, 'Hers')
    await make(ann, 'Secret', { visibility: 'private' })
    await make(ann, 'Ours', { ns: org.name, visibility: 'private' })
    expect(await shown()).toEqual(['collection Ours by ann'])
    await follow(ann.username)
    expect(await shown()).toEqual(['collection Ours by ann', 'collection Hers by ann'])
    later((feedDays + 1) * dayMs)
    expect(await shown()).toEqual([])
  })

  test('hides threads of repos that the reader may see no more, and where discussions are off', async () => {
    const repo = await given(ann, 'forum')
    const num = await givenDiscussion(world, reader, repo, { title: 'Mine' })
    await say(ann, repo, num)
    expect(await shown()).toEqual(['forum: ann commented Mine 1'])
    await updateRepo(world.ctx(ann), repo, { discussionsEnabled: false })
    expect(await shown()).toEqual([])
    await updateRepo(world.ctx(ann), repo, { discussionsEnabled: true, visibility: 'private' })
    expect(await shown()).toEqual([])
  })

  test('joins the commits of a repo and a day, with the last one of them', async () => {
    const repo = await given(ann, 'busy')
    await follow(ann.username)
    for (const title of ['a', 'b', 'c']) await push(ann, repo, title)
    later(dayMs)
    await push(ann, repo, 'd')
    await createBranch(world.ctx(ann), repo, { name: 'side', via: 'api' })
    await givenCommit(world, ann, repo, [add('x', 'x')], { title: 'elsewhere', branch: 'side' })
    expect(await shown()).toEqual(['busy: d 1', 'busy: c 3', 'busy: created 0'])
  })

  test('hides repos that the reader may not see, may see no more, or that are deleted', async () => {
    await given(ann, 'secret', { visibility: 'private' })
    const [open, gone] = [await given(ann, 'open'), await given(ann, 'gone')]
    await follow(ann.username)
    await watchRepo(world.ctx(reader), open, 'all')
    await push(ann, open, 'said')
    await deleteRepo(world.ctx(ann), gone)
    expect(await shown()).toEqual(['open: said 1', 'open: created 0'])
    await updateRepo(world.ctx(ann), open, { visibility: 'private' })
    expect(await shown()).toEqual([])
  })

  test('goes back ninety days, and looks as far as it must', async () => {
    const repo = await given(ann, 'old')
    await follow(ann.username)
    await push(ann, repo, 'first')
    later(20 * dayMs)
    await push(ann, repo, 'second')
    later((feedDays - 20) * dayMs)
    expect(await shown()).toEqual(['old: second 1', 'old: first 1', 'old: created 0'])
    later(dayMs)
    expect(await shown()).toEqual(['old: second 1'])
  })

  test('comes by pages that neither repeat nor miss an entry, also at one time', async () => {
    const repos: Repo[] = []
    for (let i = 0; i < 3; i++) repos.push(await given(ann, `r${i}`))
    await follow(ann.username)
    const threads = [await givenDiscussion(world, reader, repos[0] as Repo, { title: 'D' })]
    for (const day of ['x', 'y']) {
      for (const num of threads) await say(ann, repos[0] as Repo, num)
      for (const repo of repos) await push(ann, repo, day)
      for (const repo of repos) await push(ann, repo, `${day}${day}`)
      later(dayMs)
    }
    const all = await shown()
    expect(all).toHaveLength(11)
    for (const limit of [1, 2, 4]) {
      const seen: string[] = []
      let after: FeedPosition | undefined
      do {
        const { items, next } = await listFeed(world.ctx(reader), { after, limit })
        seen.push(...items.map(said))
        after = next
      } while (after)
      expect(seen).toEqual(all)
    }
  })

  test('comes over HTTP with the description, for its reader alone', async () => {
    const repo = await given(ann, 'fast')
    await updateRepo(world.ctx(ann), repo, { description: 'Small and fast' })
    await follow(ann.username)
    const app = appOf(world, { native: [mountActivity] })
    const { secret, actor } = await givenToken(world, reader, { scopes: ['read'] })
    const answer = await app.request(`${nativeBase}/feed`, { headers: { Authorization: `Bearer ${secret}` } })
    expect(await answer.json()).toMatchObject({
      items: [{ repo: { name: 'fast' }, author: ann.username, commits: 0, description: 'Small and fast' }],
      next_cursor: '',
    })
    expect(await shown(actor)).toEqual(['fast: created 0'])
    expect(await shown(ben)).toEqual([])
    const { actor: fenced } = await givenToken(world, reader, { fence: { namespaces: [ann.username] } })
    expect(await codeOf(shown(fenced))).toBe('forbidden')
    expect((await app.request(`${nativeBase}/feed`)).status).toBe(401)
    await expect(listFeed(world.ctx(anonymous), { limit: 1 })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })
})
