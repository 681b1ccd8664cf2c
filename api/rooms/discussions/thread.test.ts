import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { Repo } from '../repos/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import { comment } from './comment.ts'
import { editComment, hideComment } from './edit-comment.ts'
import { getDiscussion } from './get.ts'
import { countMatching, listDiscussions } from './list.ts'
import { givenDiscussion, givenPullRequest } from './testing.ts'
import { updateDiscussion } from './update.ts'

eachDatabase('threads', (world) => {
  let admin: UserActor
  let writer: UserActor
  let reader: UserActor
  let other: UserActor
  let repo: Repo
  beforeAll(async () => {
    admin = await givenUser(world, 'ada')
    writer = await givenUser(world, 'wim')
    reader = await givenUser(world, 'bob')
    other = await givenUser(world, 'cyd')
    await givenOrg(world, 'acme', admin, [[writer, 'write']])
    repo = await givenRepo(world, admin, { ns: 'acme', visibility: 'public' })
  })
  const ctx = (actor: UserActor) => world.ctx(actor)
  const say = (actor: UserActor, num: number, text: string) => comment(ctx(actor), repo, num, text)
  const audited = async (action: string) => {
    const rows = await world.db.q.select().from(world.db.t.audit)
    return rows.filter((row) => row.action === action)
  }

  test('comments come in the order they were made, and are counted', async () => {
    const num = await givenDiscussion(world, reader, repo)
    for (const text of ['one', 'two', 'three']) await say(other, num, text)
    const { discussion, events } = await getDiscussion(ctx(other), repo, num)
    expect(events.map(({ body }) => body)).toEqual(['I ask.', 'one', 'two', 'three'])
    expect(discussion.commentCount).toBe(4)
  })

  test('twenty people comment at once, and each is heard', async () => {
    const num = await givenDiscussion(world, reader, repo)
    await Promise.all(Array.from({ length: 20 }, (_, i) => say(other, num, `${i}`)))
    const { discussion, events } = await getDiscussion(ctx(reader), repo, num)
    expect(new Set(events.map(({ body }) => body)).size).toBe(21)
    expect(discussion.commentCount).toBe(21)
  })

  test.each([
    ['nothing', ' \n', 'empty'],
    ['too much', 'é'.repeat(40_000), 'too-long'],
    ['what databases cannot hold', 'a\0b', 'invalid'],
  ])('saying %s is refused', async (_, text, code) => {
    const num = await givenDiscussion(world, reader, repo)
    await expect(say(reader, num, text)).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ code }],
    })
  })

  describe('a comment', () => {
    test('is edited by its author and by writers, who are named; how often is kept', async () => {
      const num = await givenDiscussion(world, reader, repo)
      const { id } = await say(reader, num, 'frist')
      await editComment(ctx(reader), repo, { num, id }, 'first')
      const edited = await editComment(ctx(writer), repo, { num, id }, 'First.')
      expect(edited).toMatchObject({ body: 'First.', edits: 2, editedBy: 'wim', author: 'bob' })
      expect((await audited('comment.edit')).map(({ target_id }) => target_id)).toEqual([id])
      await expect(editComment(ctx(other), repo, { num, id }, 'x')).rejects.toMatchObject({
        code: 'forbidden',
      })
    })

    test('is hidden by admins alone, for good, and its text is gone', async () => {
      const num = await givenDiscussion(world, reader, repo)
      const { id } = await say(reader, num, 'something private')
      for (const actor of [reader, writer])
        await expect(hideComment(ctx(actor), repo, { num, id })).rejects.toMatchObject({ code: 'forbidden' })
      expect(await hideComment(ctx(admin), repo, { num, id })).toMatchObject({
        hiddenAt: expect.any(Date),
        body: '',
      })
      expect(await hideComment(ctx(admin), repo, { num, id })).toMatchObject({
        hiddenAt: expect.any(Date),
        body: '',
      })
      await expect(editComment(ctx(reader), repo, { num, id }, 'again')).rejects.toMatchObject({
        code: 'state-conflict',
      })
      expect(JSON.stringify(await getDiscussion(ctx(admin), repo, num))).not.toContain('something private')
      expect(JSON.stringify(await world.db.q.select().from(world.db.t.discussion_events))).not.toContain(
        'private',
      )
      expect((await audited('comment.hide')).filter(({ target_id }) => target_id === id)).toHaveLength(1)
    })

    test('is found in its own thread alone, by its id or by the digits hub clients know', async () => {
      const num = await givenDiscussion(world, reader, repo)
      const elsewhere = await givenDiscussion(world, reader, repo)
      const foreign = await givenRepo(world, reader, { visibility: 'public' })
      const there = await givenDiscussion(world, reader, foreign)
      const { id } = await say(reader, num, 'here')
      const digits = id.replaceAll('-', '')
      const short = digits.slice(0, 12) + digits.slice(-12)
      expect((await editComment(ctx(reader), repo, { num, id: short.toUpperCase() }, 'still here')).id).toBe(
        id,
      )
      for (const wrong of [id, short]) {
        await expect(
          editComment(ctx(reader), repo, { num: elsewhere, id: wrong }, 'x'),
        ).rejects.toMatchObject({
          code: 'not-found',
        })
        await expect(editComment(ctx(reader), foreign, { num: there, id: wrong }, 'x')).rejects.toMatchObject(
          {
            code: 'not-found',
          },
        )
        await expect(hideComment(ctx(reader), foreign, { num: there, id: wrong })).rejects.toMatchObject({
          code: 'not-found',
        })
      }
      for (const bad of ['', 'x', '%', short.replace(/.$/, '%'), '_'.repeat(24)])
        await expect(editComment(ctx(reader), repo, { num, id: bad }, 'x')).rejects.toMatchObject({
          code: 'not-found',
        })
    })

    test('is the only entry that can be edited or hidden', async () => {
      const num = await givenDiscussion(world, reader, repo)
      const { moved } = await updateDiscussion(ctx(reader), repo, num, { status: 'closed' })
      await expect(hideComment(ctx(admin), repo, { num, id: moved?.id ?? '' })).rejects.toMatchObject({
        code: 'not-found',
      })
    })
  })

  describe('a discussion', () => {
    test('is retitled, closed and opened again by its author and by writers, and its thread says so', async () => {
      const num = await givenDiscussion(world, reader, repo)
      await updateDiscussion(ctx(reader), repo, num, { title: 'Better', status: 'closed', comment: 'Done.' })
      await updateDiscussion(ctx(writer), repo, num, { status: 'open' })
      const { discussion, events } = await getDiscussion(ctx(reader), repo, num)
      expect(discussion).toMatchObject({ title: 'Better', status: 'open', commentCount: 2 })
      expect(events.map(({ type, before, after, body }) => [type, body ?? `${before} → ${after}`])).toEqual([
        ['comment', 'I ask.'],
        ['comment', 'Done.'],
        ['title_change', 'What about it? → Better'],
        ['status_change', 'open → closed'],
        ['status_change', 'closed → open'],
      ])
      expect(await audited('discussion.update')).toHaveLength(1)
      await expect(updateDiscussion(ctx(other), repo, num, { title: 'Mine' })).rejects.toMatchObject({
        code: 'forbidden',
      })
    })

    test('that is so already is left as it is', async () => {
      const num = await givenDiscussion(world, reader, repo)
      const changed = await updateDiscussion(ctx(reader), repo, num, {
        title: 'What about it?',
        status: 'open',
      })
      expect(changed).not.toHaveProperty('moved')
      expect((await getDiscussion(ctx(reader), repo, num)).events).toHaveLength(1)
    })

    test.each([0, -1, 1.5, 2 ** 31, 4711])('number %s is not there', async (num) => {
      await expect(getDiscussion(ctx(admin), repo, num)).rejects.toMatchObject({ code: 'not-found' })
      await expect(say(admin, num, 'x')).rejects.toMatchObject({ code: 'not-found' })
    })
  })

  test('lists go from the newest on, page by page, by kind, status and author', async () => {
    const full = await givenRepo(world, admin, { ns: 'acme', visibility: 'public' })
    for (let i = 0; i < 4; i++) await givenDiscussion(world, reader, full)
    await givenPullRequest(world, writer, full, { x: 'x' })
    await updateDiscussion(ctx(writer), full, 2, { status: 'closed' })
    const list = async (query: Partial<Parameters<typeof listDiscussions>[2]>) => {
      const page = await listDiscussions(ctx(other), full, { limit: 10, ...query })
      return page.discussions.map(({ num }) => num)
    }
    expect(await list({})).toEqual([5, 4, 3, 2, 1])
    expect(await list({ kind: 'pull_request' })).toEqual([5])
    expect(await list({ kind: 'discussion', status: 'open' })).toEqual([4, 3, 1])
    expect(await list({ status: 'closed' })).toEqual([2])
    expect(await list({ author: 'BOB' })).toEqual([4, 3, 2, 1])
    expect(await list({ author: 'nobody' })).toEqual([])
    expect(await countMatching(ctx(other), full, { author: 'bob' })).toEqual({ open: 3, closed: 1 })
    expect(await countMatching(ctx(other), full, { status: 'open' })).toEqual({ open: 4, closed: 0 })
    const first = await listDiscussions(ctx(other), full, { limit: 2 })
    expect(first.next).toBe(4)
    expect(await list({ before: 4, limit: 2 })).toEqual([3, 2])
    expect((await listDiscussions(ctx(other), full, { before: 2, limit: 2 })).next).toBeUndefined()
    expect(await list({ offset: 3, limit: 2 })).toEqual([2, 1])
  })

  test('are found by all words of their titles, in any case and literally, or by their number', async () => {
    const full = await givenRepo(world, admin, { ns: 'acme', visibility: 'public' })
    const titles = ['A 50% loss', 'Loss of 500 tokens', 'About 2 tokens', 'a_b']
    for (const title of titles) await givenDiscussion(world, reader, full, { title })
    const found = async (...words: string[]) =>
      (await listDiscussions(ctx(other), full, { limit: 10, words })).discussions.map(({ num }) => num)
    expect(await found('LOSS')).toEqual([2, 1])
    expect(await found('tokens', 'loss')).toEqual([2])
    expect(await found('50%')).toEqual([1])
    expect(await found('_')).toEqual([4])
    expect(await found('2')).toEqual([3, 2])
    expect(await found('#4')).toEqual([4])
    expect(await found('9'.repeat(60))).toEqual([])
    expect(await countMatching(ctx(other), full, { words: ['loss'] })).toEqual({ open: 2, closed: 0 })
  })
})
