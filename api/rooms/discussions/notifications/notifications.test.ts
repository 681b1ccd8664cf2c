import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { editComment, hideComment } from '../edit-comment.ts'
import { getDiscussion } from '../get.ts'
import { givenDiscussion } from '../testing.ts'
import { updateDiscussion } from '../update.ts'
import { countUnread, listNotifications } from './list.ts'
import { markRead } from './mark-read.ts'
import { isDiscussionMuted, muteDiscussion } from './mute.ts'

eachDatabase('notifications', (world) => {
  let ada: UserActor
  let bob: UserActor
  let cyd: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    cyd = await givenUser(world, 'cyd')
    await givenOrg(world, 'acme', ada)
    repo = await givenRepo(world, ada, { visibility: 'public' })
    num = await givenDiscussion(world, ada, repo, { title: 'Which licence?' })
  })
  const say = (text: string, actor = ada) => comment(world.ctx(actor), repo, num, text)
  const idsOf = async (actor: UserActor) =>
    (await listNotifications(world.ctx(actor), { limit: 50 })).items.map(({ id }) => id)

  test('a person who is mentioned is notified once, and its author is not', async () => {
    const { id } = await say('@Bob and @bob, see @ada, @acme and @no-such-person')
    const { items } = await listNotifications(world.ctx(bob), { limit: 50 })
    expect(items).toMatchObject([
      { id, num, title: 'Which licence?', author: 'ada', repo: { ns: 'ada' }, readAt: null },
    ])
    expect(await idsOf(ada)).toEqual([])
    expect(await idsOf(cyd)).toEqual([])
  })

  test('an edit notifies those it adds, forgets those it leaves out, and keeps what was read', async () => {
    const { id } = await say('@bob @cyd')
    await markRead(world.ctx(bob), [id])
    await editComment(world.ctx(ada), repo, { num, id }, 'only @bob')
    expect(await idsOf(cyd)).toEqual([])
    const { items } = await listNotifications(world.ctx(bob), { limit: 1 })
    expect(items).toMatchObject([{ id, readAt: expect.any(Date) }])
  })

  test('who takes part hears of a comment that mentions them no more, and once of one that closes the thread', async () => {
    const thread = await givenDiscussion(world, ada, repo)
    await comment(world.ctx(bob), repo, thread, 'I wrote here before')
    const { id } = await comment(world.ctx(ada), repo, thread, '@bob @cyd')
    await markRead(world.ctx(bob), [id])
    await editComment(world.ctx(ada), repo, { num: thread, id }, 'Never mind.')
    expect(await idsOf(cyd)).not.toContain(id)
    const ofThread = async () => {
      const { items } = await listNotifications(world.ctx(bob), { limit: 50 })
      return items.filter(({ num: of }) => of === thread)
    }
    expect(await ofThread()).toMatchObject([{ id, reason: 'taking_part', readAt: expect.any(Date) }])
    await updateDiscussion(world.ctx(ada), repo, thread, { status: 'closed', comment: 'Done.' })
    expect(await ofThread()).toMatchObject([{ excerpt: 'Done.' }, { id }])
    const unread = await listNotifications(world.ctx(bob), {
      limit: 50,
      isUnread: true,
      reason: 'taking_part',
    })
    expect(unread.items.filter(({ num: of }) => of === thread)).toMatchObject([{ excerpt: 'Done.' }])
    const mentions = await listNotifications(world.ctx(bob), { limit: 50, reason: 'mention' })
    expect(new Set(mentions.items.map(({ reason }) => reason))).toEqual(new Set(['mention']))
  })

  test('a hidden comment does not notify', async () => {
    const { id } = await say('@cyd')
    expect(await idsOf(cyd)).toEqual([id])
    await hideComment(world.ctx(ada), repo, { num, id })
    expect(await idsOf(cyd)).toEqual([])
  })

  test('the text of a new discussion mentions, too; pages go on where they ended', async () => {
    const dan = await givenUser(world, 'dan')
    for (let i = 0; i < 3; i++)
      await givenDiscussion(world, ada, repo, { body: `@dan, **${i}**\n\n[](https://x.example)` })
    const first = await listNotifications(world.ctx(dan), { limit: 2 })
    expect(first.items.map(({ excerpt }) => excerpt)).toEqual(['@dan, 2', '@dan, 1'])
    const rest = await listNotifications(world.ctx(dan), { limit: 2, after: first.next })
    expect(rest).toMatchObject({ items: [{ excerpt: '@dan, 0' }] })
    expect(rest.next).toBeUndefined()
    expect(await countUnread(world.ctx(dan), 100)).toBe(3)
    expect(await countUnread(world.ctx(dan), 2)).toBe(2)
    await markRead(world.ctx(dan))
    expect(await countUnread(world.ctx(dan), 100)).toBe(0)
  })

  test('people are not notified of what they may not see, or may not see any more', async () => {
    const eve = await givenUser(world, 'eve')
    const secret = await givenRepo(world, ada, { visibility: 'private' })
    await givenDiscussion(world, ada, secret, { body: '@eve' })
    expect(await idsOf(eve)).toEqual([])
    expect(await countUnread(world.ctx(eve), 100)).toBe(0)
    await updateRepo(world.ctx(ada), secret, { visibility: 'public' })
    expect(await idsOf(eve)).toHaveLength(1)
    await updateRepo(world.ctx(ada), secret, { discussionsEnabled: false })
    expect(await idsOf(eve)).toEqual([])
  })

  describe('people hear of', () => {
    const heardBy = async (actor: UserActor) =>
      (await listNotifications(world.ctx(actor), { limit: 50 })).items.map(({ reason, type, excerpt }) => [
        reason,
        type,
        excerpt,
      ])

    test('what follows in a thread they wrote in, but not of what they write', async () => {
      const [finn, gus] = [await givenUser(world, 'finn'), await givenUser(world, 'gus')]
      const at = await givenDiscussion(world, finn, repo, { body: 'A question' })
      await comment(world.ctx(gus), repo, at, 'An answer')
      await comment(world.ctx(finn), repo, at, 'Thanks, @gus')
      await updateDiscussion(world.ctx(ada), repo, at, { status: 'closed' })
      expect(await heardBy(finn)).toEqual([
        ['taking_part', 'status_change', ''],
        ['taking_part', 'comment', 'An answer'],
      ])
      expect(await heardBy(gus)).toEqual([
        ['taking_part', 'status_change', ''],
        ['mention', 'comment', 'Thanks, @gus'],
      ])
    })

    test('what is opened in their repos, if they may write there', async () => {
      const [ida, jon, kim, lea] = [
        await givenUser(world, 'ida'),
        await givenUser(world, 'jon'),
        await givenUser(world, 'kim'),
        await givenUser(world, 'lea'),
      ]
      await givenOrg(world, 'lab', ida, [
        [jon, 'write'],
        [kim, 'read'],
      ])
      const shared = await givenRepo(world, ida, { ns: 'lab', visibility: 'public' })
      await givenDiscussion(world, lea, shared, { body: 'Hello' })
      expect(await heardBy(ida)).toEqual([['repo', 'comment', 'Hello']])
      expect(await heardBy(jon)).toEqual([['repo', 'comment', 'Hello']])
      expect([await heardBy(kim), await heardBy(lea)]).toEqual([[], []])
    })

    test('a muted thread no more, unless it mentions them, until they unmute it', async () => {
      const mia = await givenUser(world, 'mia')
      const at = await givenDiscussion(world, mia, repo, { body: 'A question' })
      const muted = async () =>
        isDiscussionMuted(world.db, (await getDiscussion(world.ctx(mia), repo, at)).discussion.id, mia.id)
      await muteDiscussion(world.ctx(mia), repo, at, true)
      await muteDiscussion(world.ctx(mia), repo, at, true)
      expect(await muted()).toBe(true)
      await comment(world.ctx(bob), repo, at, 'one')
      await comment(world.ctx(bob), repo, at, '@mia')
      expect(await heardBy(mia)).toEqual([['mention', 'comment', '@mia']])
      await muteDiscussion(world.ctx(mia), repo, at, false)
      expect(await muted()).toBe(false)
      await comment(world.ctx(bob), repo, at, 'two')
      expect((await heardBy(mia))[0]).toEqual(['taking_part', 'comment', 'two'])
    })
  })

  test('a fenced token reads no notifications, and a token marks none without the scope', async () => {
    const { actor: fenced } = await givenToken(world, bob, { fence: { namespaces: ['bob'] } })
    await expect(listNotifications(world.ctx(fenced), { limit: 5 })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const { actor: reader } = await givenToken(world, bob, { scopes: ['read'] })
    await expect(markRead(world.ctx(reader))).rejects.toMatchObject({ code: 'insufficient-scope' })
  })
})
