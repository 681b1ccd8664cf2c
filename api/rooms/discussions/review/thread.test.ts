import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import type { Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { getDiscussion } from '../get.ts'
import { givenPullRequest, givenTexts } from '../testing.ts'
import { setResolved } from './thread.ts'

eachDatabase('threads of review comments', (world) => {
  let ada: UserActor
  let bob: UserActor
  let eve: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    eve = await givenUser(world, 'eve')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    await givenCommit(world, ada, repo, [add('a.txt', 'one\ntwo\nthree\n')])
    num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
  })
  const thread = async () => (await getDiscussion(world.ctx(ada), repo, num)).events
  const review = async (by: UserActor, place: { line?: number; startLine?: number } = {}) => {
    const { discussion } = await getDiscussion(world.ctx(by), repo, num)
    const commit = discussion.pull?.head ?? ''
    return comment(world.ctx(by), repo, num, 'Why?', {
      path: 'a.txt',
      side: 'new',
      line: 2,
      commit,
      ...place,
    })
  }
  const set = (by: UserActor, id: string, isWanted: boolean) =>
    setResolved(world.ctx(by), repo, { num, id }, isWanted)

  test('an answer on the same lines joins the thread, and resolving that resolves its first comment', async () => {
    const first = await review(eve)
    expect(first.threadId).toBeNull()
    const answer = await review(bob)
    expect(answer.threadId).toBe(first.id)
    expect((await review(bob, { startLine: 1 })).threadId).toBeNull()
    expect(await set(bob, answer.id, true)).toMatchObject({ id: first.id, resolvedAt: expect.any(Date) })
    expect((await thread()).at(-1)).toMatchObject({
      type: 'thread_change',
      author: 'bob',
      before: 'open',
      after: 'resolved',
      threadId: first.id,
    })
    // What is said there next is not hidden among what is resolved.
    expect((await review(bob)).threadId).toBeNull()
  })

  test('doing so twice changes nothing, and a thread is reopened', async () => {
    const { id } = await review(eve, { line: 3 })
    await set(eve, id, true)
    const before = await thread()
    await set(ada, id, true)
    expect(await thread()).toEqual(before)
    expect(await set(ada, id, false)).toMatchObject({ id, resolvedAt: null })
    expect((await thread()).at(-1)).toMatchObject({ before: 'resolved', after: 'open' })
  })

  test('at the same time it happens once', async () => {
    const { id } = await review(eve, { line: 3 })
    const count = async () => (await thread()).filter(({ type }) => type === 'thread_change').length
    const before = await count()
    await Promise.all([ada, bob, eve, ada].map((by) => set(by, id, true)))
    expect(await count()).toBe(before + 1)
  })

  test('its author, that of the pull request and writers may, others not', async () => {
    const { id } = await review(ada, { line: 1 })
    await expect(set(eve, id, true)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      setResolved(world.ctx({ kind: 'anonymous' }), repo, { num, id }, true),
    ).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    for (const by of [bob, ada]) {
      await set(by, id, true)
      await set(by, id, false)
    }
  })

  test('a comment on no line has no thread, and an outdated one can be resolved', async () => {
    const { id } = await comment(world.ctx(bob), repo, num, 'Said.')
    await expect(set(bob, id, true)).rejects.toMatchObject({ code: 'state-conflict' })
    const asked = await review(eve, { startLine: 1, line: 3 })
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'a.txt': 'one\nII\nthree\n' })
    await set(eve, asked.id, true)
    // The file is another one: the same line begins a thread of its own.
    expect((await review(bob, { startLine: 1, line: 3 })).threadId).toBeNull()
  })
})
