import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits, type ReviewVerdict } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { before, eachDatabase, givenRepo, givenUser, hold } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import type { Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { editComment, hideComment } from '../edit-comment.ts'
import { getDiscussion } from '../get.ts'
import { mergePullRequest } from '../merge.ts'
import { listNotifications } from '../notifications/list.ts'
import { givenDiscussion, givenPullRequest, givenTexts } from '../testing.ts'
import { updateDiscussion } from '../update.ts'
import { listReviewers, standingOfReviews } from './reviewers.ts'
import { submitReview, type WantedReview } from './submit.ts'

eachDatabase('reviews', (world) => {
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
  })
  beforeEach(async () => {
    num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\n2\nthree\n' })
  })
  const read = () => getDiscussion(world.ctx(ada), repo, num)
  const headOf = async () => (await read()).discussion.pull?.head ?? ''
  const reviewers = async () => {
    const { repo: its, discussion } = await read()
    return (await listReviewers(world.db, its, [discussion])).get(discussion.id) ?? []
  }
  const on = (line: number, body = 'Why?') => ({ place: { path: 'a.txt', side: 'new' as const, line }, body })
  const review = async (by: UserActor, verdict: ReviewVerdict, more: Partial<WantedReview> = {}) =>
    submitReview(world.ctx(by), repo, num, {
      verdict,
      head: await headOf(),
      body: 'I have read it.',
      comments: [],
      ...more,
    })
  const heardBy = async (actor: UserActor) =>
    (await listNotifications(world.ctx(actor), { limit: 50 })).items.filter(({ num: of }) => of === num)

  test('are one entry, the head that was read, and comments tied to it', async () => {
    const { id } = await review(ada, 'request_changes', { comments: [on(2), on(3, 'And here?')] })
    const { discussion, events } = await read()
    expect(events.slice(-4)).toMatchObject([
      { id, type: 'review', verdict: 'request_changes', commit: await headOf(), reviewId: null, body: null },
      { type: 'comment', body: 'I have read it.', reviewId: id, path: null },
      { type: 'comment', body: 'Why?', reviewId: id, path: 'a.txt', line: 2 },
      { type: 'comment', body: 'And here?', reviewId: id, line: 3 },
    ])
    expect(discussion.commentCount).toBe(4)
    expect(await reviewers()).toEqual([
      { username: 'ada', state: 'changes_requested', isOutdated: false, counts: true },
    ])
  })

  test('of one person count by the latest verdict, which comments leave as it is', async () => {
    await review(ada, 'comment')
    expect(await reviewers()).toMatchObject([{ state: 'commented' }])
    await review(ada, 'request_changes')
    await review(ada, 'comment')
    expect(await reviewers()).toMatchObject([{ state: 'changes_requested' }])
    await review(ada, 'approve', { body: '' })
    expect(await reviewers()).toMatchObject([{ state: 'approved', isOutdated: false }])
    expect(standingOfReviews(await reviewers())).toBe('approved')
  })

  test('are outdated once there are new commits: an approval then counts no longer, a request for changes does', async () => {
    await review(ada, 'approve')
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'b.txt': 'more' })
    expect(await reviewers()).toMatchObject([{ state: 'approved', isOutdated: true }])
    expect(standingOfReviews(await reviewers())).toBeUndefined()
    await review(ada, 'request_changes')
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'b.txt': 'less' })
    expect(standingOfReviews(await reviewers())).toBe('changes_requested')
  })

  test('of people who may not write are shown, and do not count', async () => {
    await review(eve, 'request_changes')
    expect(await reviewers()).toMatchObject([{ username: 'eve', state: 'changes_requested', counts: false }])
    expect(standingOfReviews(await reviewers())).toBeUndefined()
  })

  test('of its author are comments alone, and name no reviewer', async () => {
    for (const verdict of ['approve', 'request_changes'] as const)
      await expect(review(bob, verdict)).rejects.toMatchObject({
        code: 'forbidden',
        detail: expect.stringContaining('Send your review as a comment') as string,
      })
    await review(bob, 'comment', { comments: [on(2)] })
    expect(await reviewers()).toEqual([])
  })

  test('of a closed pull request are comments alone, and so are those of a merged one', async () => {
    await updateDiscussion(world.ctx(ada), repo, num, { status: 'closed' })
    await expect(review(ada, 'approve')).rejects.toMatchObject({ code: 'state-conflict' })
    await updateDiscussion(world.ctx(ada), repo, num, { status: 'open' })
    await mergePullRequest(world.ctx(ada), repo, num)
    await expect(review(ada, 'request_changes')).rejects.toMatchObject({ code: 'state-conflict' })
    await review(ada, 'comment')
    await givenTexts(world, ada, repo, 'main', { 'a.txt': 'one\ntwo\nthree\n' })
  })

  test('of another head are refused whole, with comments and without', async () => {
    const head = await headOf()
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'b.txt': 'more' })
    const { events } = await read()
    for (const comments of [[], [on(2)]])
      await expect(review(ada, 'approve', { head, comments })).rejects.toMatchObject({
        code: 'state-conflict',
        detail: expect.stringContaining('new commits since you read it') as string,
      })
    expect((await read()).events).toEqual(events)
  })

  test('that others commit to between the look and the write are refused', async () => {
    const held = await hold(world.ctx(ada), before('write'), async (ctx) =>
      submitReview(ctx, repo, num, { verdict: 'approve', head: await headOf(), comments: [on(2)] }),
    )
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'b.txt': 'more' })
    await expect(held.resume()).rejects.toMatchObject({ code: 'state-conflict' })
    expect((await read()).events.some(({ type }) => type === 'review')).toBe(false)
  })

  test('with a fault in one comment write nothing, and say which', async () => {
    const { events } = await read()
    await expect(review(ada, 'approve', { comments: [on(2), on(900)] })).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [expect.objectContaining({ field: 'comments.1.place.line' })],
    })
    await expect(review(ada, 'approve', { comments: [on(2, ' ')] })).rejects.toMatchObject({
      errors: [expect.objectContaining({ field: 'comments.0.body' })],
    })
    for (const verdict of ['comment', 'request_changes'] as const)
      await expect(review(ada, verdict, { body: ' ' })).rejects.toMatchObject({ code: 'validation-failed' })
    expect((await read()).events).toEqual(events)
  })

  test('hold as many comments as they may', async () => {
    const comments = Array.from({ length: limits.reviewComments }, (_, i) => on(1 + (i % 3), `${i}`))
    await review(ada, 'comment', { comments })
    const said = (await read()).events.filter(({ reviewId, path }) => reviewId !== null && path !== null)
    expect(said.map(({ body }) => body)).toEqual(comments.map(({ body }) => body))
  })

  test('are of pull requests, and of those that the caller may see', async () => {
    const mere = await givenDiscussion(world, ada, repo)
    const wanted = { verdict: 'comment', head: '0'.repeat(40), body: 'x', comments: [] } as const
    await expect(submitReview(world.ctx(ada), repo, mere, wanted)).rejects.toMatchObject({
      code: 'state-conflict',
    })
    const secret = await givenRepo(world, ada, { visibility: 'private' })
    await givenCommit(world, ada, secret, [add('a.txt', 'one\n')])
    const hidden = await givenPullRequest(world, ada, secret, { 'a.txt': 'two\n' })
    await expect(submitReview(world.ctx(eve), secret, hidden, wanted)).rejects.toMatchObject({
      code: 'repo-not-found',
    })
    await expect(submitReview(world.ctx({ kind: 'anonymous' }), repo, num, wanted)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  describe('notify', () => {
    test('those who take part once, and show how the review begins', async () => {
      await comment(world.ctx(eve), repo, num, 'I watch.')
      const { id } = await review(ada, 'request_changes', { comments: [on(2), on(3)] })
      for (const person of [bob, eve])
        expect((await heardBy(person)).filter(({ author }) => author === 'ada')).toMatchObject([
          {
            id,
            type: 'review',
            verdict: 'request_changes',
            excerpt: 'I have read it.',
            reason: 'taking_part',
          },
        ])
      const own = (await heardBy(ada)).filter(({ author }) => author === 'ada')
      expect(own).toEqual([])
    })

    test('whom its comments mention once, also after an edit', async () => {
      const mentioning = [on(2, '@eve, why?'), on(3, '@eve and @bob')]
      const { id } = await review(ada, 'comment', { body: '', comments: mentioning })
      const ofReview = { id, reason: 'mention', excerpt: '@eve, why?' }
      expect(await heardBy(eve)).toMatchObject([ofReview])
      const [first, second] = (await read()).events.filter(({ reviewId }) => reviewId === id)
      const edit = (of: typeof first, text: string) =>
        editComment(world.ctx(ada), repo, { num, id: of?.id ?? '' }, text)
      await edit(first, 'Why? @eve')
      expect(await heardBy(eve)).toMatchObject([{ ...ofReview, excerpt: 'Why? @eve' }])
      await edit(first, 'Why?')
      expect(await heardBy(eve)).toHaveLength(1)
      await hideComment(world.ctx(ada), repo, { num, id: second?.id ?? '' })
      expect(await heardBy(eve)).toEqual([])
    })
  })
})
