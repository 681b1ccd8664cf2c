import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { getDiscussion } from '../get.ts'
import { givenDiscussion, givenPullRequest, givenTexts } from '../testing.ts'
import { placesOf, type WantedPlace } from './place.ts'

eachDatabase('review comments', (world) => {
  let ada: UserActor
  let bob: UserActor
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    await givenCommit(world, ada, repo, [add('a.txt', 'one\ntwo\nthree\n'), add('b.txt', 'b\n')])
  })
  const headOf = async (num: number) =>
    (await getDiscussion(world.ctx(ada), repo, num)).discussion.pull?.head ?? ''
  const review = async (num: number, place: Partial<WantedPlace> = {}) =>
    comment(world.ctx(bob), repo, num, 'Why?', {
      path: 'a.txt',
      side: 'new',
      line: 2,
      commit: await headOf(num),
      ...place,
    })
  const shownTo = async (actor: UserActor, num: number) => {
    const ctx = world.ctx(actor)
    const { discussion, events } = await getDiscussion(ctx, repo, num)
    return placesOf(ctx, repo, discussion.pull, events)
  }

  test('a comment on a line keeps the commit of its side, and the lines above it', async () => {
    const num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
    const head = await headOf(num)
    expect(await review(num)).toMatchObject({
      path: 'a.txt',
      side: 'new',
      line: 2,
      commit: head,
      excerpt: [
        { kind: 'context', text: 'one' },
        { kind: 'delete', text: 'two' },
        { kind: 'add', text: '2' },
      ],
    })
    const old = await review(num, { side: 'old' })
    expect(old.commit).not.toBe(head)
    expect(old.excerpt?.at(-1)).toEqual({ kind: 'delete', text: 'two' })
  })

  test('a comment on several lines keeps them, of its own side alone', async () => {
    const num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
    expect(await review(num, { startLine: 1, line: 3 })).toMatchObject({
      startLine: 1,
      line: 3,
      excerpt: [
        { kind: 'context', text: 'one' },
        { kind: 'add', text: '2' },
        { kind: 'context', text: 'three' },
      ],
    })
    const old = await review(num, { side: 'old', startLine: 1, line: 2 })
    expect(old.excerpt).toEqual([
      { kind: 'context', text: 'one' },
      { kind: 'delete', text: 'two' },
    ])
  })

  test('several lines are in order, of one hunk, and not too many', async () => {
    const given = Array.from({ length: 300 }, (_, i) => `${i + 1}\n`)
    const path = 'long.txt'
    await givenCommit(world, ada, repo, [add(path, given.join(''))])
    const some = given.with(9, 'ten\n').with(99, 'hundred\n').join('')
    const num = await givenPullRequest(world, bob, repo, { [path]: some, 'new.txt': given.join('') })
    const field = (message: string) => ({
      code: 'validation-failed',
      message: expect.stringContaining(message),
    })
    await expect(review(num, { path, line: 10, startLine: 10 })).rejects.toMatchObject(field('less than'))
    await expect(review(num, { path, line: 100, startLine: 10 })).rejects.toMatchObject(field('the hunk'))
    await expect(review(num, { path, line: 10, startLine: 1 })).rejects.toMatchObject(field('the hunk'))
    const whole = (startLine: number) => review(num, { path: 'new.txt', line: 250, startLine })
    expect((await whole(51)).excerpt).toHaveLength(200)
    await expect(whole(50)).rejects.toMatchObject(field('at most 200 lines'))
  })

  test('it is outdated once its file is another one, and not by other files', async () => {
    const num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
    const { id } = await review(num)
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'b.txt': 'B\n' })
    expect((await shownTo(ada, num))?.outdated).toEqual(new Set())
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'a.txt': 'one\nII\nthree\n' })
    expect((await shownTo(ada, num))?.outdated).toEqual(new Set([id]))
  })

  test.each([
    ['a line that the diff does not show', { line: 99 }, 'validation-failed'],
    ['a file that is not changed', { path: 'b.txt' }, 'entry-not-found'],
    ['a head that has moved on', { commit: 'a'.repeat(40) }, 'state-conflict'],
  ])('a comment on %s is refused', async (_, place, code) => {
    const num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
    await expect(review(num, place)).rejects.toMatchObject({ code })
  })

  test('a discussion has no lines', async () => {
    const num = await givenDiscussion(world, bob, repo)
    await expect(review(num)).rejects.toMatchObject({ code: 'state-conflict' })
  })

  test('who may not read the files of a gated repo sees no excerpt, and comments on no line', async () => {
    const num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
    await review(num)
    expect(await shownTo(bob, num)).toMatchObject({ hasExcerpts: true })
    await updateRepo(world.ctx(ada), repo, { gated: 'manual' })
    expect(await shownTo(ada, num)).toMatchObject({ hasExcerpts: true })
    const { repo: gated, discussion, events } = await getDiscussion(world.ctx(bob), repo, num)
    expect(await placesOf(world.ctx(bob), gated, discussion.pull, events)).toMatchObject({
      hasExcerpts: false,
    })
    await expect(review(num)).rejects.toMatchObject({ code: 'gated' })
  })
})
