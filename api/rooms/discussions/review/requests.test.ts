import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { getDiscussion } from '../get.ts'
import { listNotifications } from '../notifications/list.ts'
import { muteDiscussion } from '../notifications/mute.ts'
import { givenPullRequest, typesOf } from '../testing.ts'
import { updateDiscussion } from '../update.ts'
import { listReviewRequests } from './list-requests.ts'
import { requestReview } from './requests.ts'
import { listReviewers } from './reviewers.ts'
import { submitReview } from './submit.ts'

eachDatabase('requests for a review', (world) => {
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
  })
  beforeEach(async () => {
    num = await givenPullRequest(world, bob, repo, { 'new.txt': 'new' })
  })
  const ask = (by: UserActor, username: string, isWanted = true) =>
    requestReview(world.ctx(by), repo, { num, username }, isWanted)
  const read = () => getDiscussion(world.ctx(ada), repo, num)
  const reviewers = async () => {
    const { discussion } = await read()
    return (await listReviewers(world.db, repo, [discussion])).get(discussion.id)
  }
  const waitingFor = async (actor: UserActor) =>
    (await listReviewRequests(world.ctx(actor))).filter(
      (each) => each.num === num && each.repo.name === repo.name,
    )
  const heardBy = async (actor: UserActor) =>
    (await listNotifications(world.ctx(actor), { limit: 50 })).items.filter((each) => each.num === num)

  test('are noted in the thread, notify the person once, and wait for them', async () => {
    await ask(bob, 'Eve')
    await ask(ada, 'eve')
    const { events } = await read()
    const asked = events.filter(({ type }) => type === 'review_request')
    expect(asked).toMatchObject([{ author: 'bob', before: null, after: 'eve' }])
    expect(await heardBy(eve)).toMatchObject([
      { id: asked[0]?.id, type: 'review_request', reason: 'review_requested', author: 'bob' },
    ])
    expect(await reviewers()).toEqual([
      { username: 'eve', state: 'requested', isOutdated: false, counts: false },
    ])
    expect(await waitingFor(eve)).toMatchObject([{ title: 'Change it', requestedBy: 'bob' }])
    expect(await waitingFor(bob)).toEqual([])
  })

  test('at the same time ask once', async () => {
    await Promise.all([ada, bob, ada, bob].map((by) => ask(by, 'eve')))
    const types = await typesOf(world, ada, repo, num)
    expect(types.filter((type) => type === 'review_request')).toHaveLength(1)
    await Promise.all([ada, bob].map((by) => ask(by, 'eve', false)))
    const then = await typesOf(world, ada, repo, num)
    expect(then.filter((type) => type === 'review_request')).toHaveLength(2)
  })

  test('reach those who muted the thread, and not those who ask themselves', async () => {
    await muteDiscussion(world.ctx(eve), repo, num, true)
    await ask(ada, 'eve')
    expect(await heardBy(eve)).toHaveLength(1)
    const before = await heardBy(ada)
    await ask(ada, 'ada')
    expect(await heardBy(ada)).toEqual(before)
  })

  test('are answered by a review, and take the place of its verdict when they are made again', async () => {
    await ask(bob, 'ada')
    const head = (await read()).discussion.pull?.head ?? ''
    await submitReview(world.ctx(ada), repo, num, { verdict: 'approve', head, comments: [] })
    expect(await reviewers()).toMatchObject([{ username: 'ada', state: 'approved', counts: true }])
    expect(await waitingFor(ada)).toEqual([])
    await ask(bob, 'ada')
    expect(await reviewers()).toMatchObject([{ username: 'ada', state: 'requested', counts: true }])
    await ask(bob, 'ada', false)
    expect(await reviewers()).toMatchObject([{ state: 'approved' }])
  })

  test('are made by its author and by writers, of people who may read the repo, for what is open', async () => {
    await expect(ask(eve, 'eve')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ask(ada, 'bob')).rejects.toMatchObject({ code: 'state-conflict' })
    await updateDiscussion(world.ctx(ada), repo, num, { status: 'closed' })
    await expect(ask(ada, 'eve')).rejects.toMatchObject({ code: 'state-conflict' })
  })

  test('answer alike for people who may not read the repo and people there are not', async () => {
    const secret = await givenRepo(world, ada, { visibility: 'private' })
    await givenCommit(world, ada, secret, [add('a.txt', 'one')])
    const at = await givenPullRequest(world, ada, secret, { 'b.txt': 'two' })
    const refused = (username: string) =>
      requestReview(world.ctx(ada), secret, { num: at, username }, true).then(
        () => expect.fail('it was asked for'),
        (problem: unknown) => problem,
      )
    const text = (problem: unknown, name: string) =>
      JSON.stringify({ ...(problem as object), detail: (problem as { detail: string }).detail }).replaceAll(
        name,
        'x',
      )
    expect(await refused('eve')).toMatchObject({ code: 'not-found' })
    expect(text(await refused('eve'), 'eve')).toBe(text(await refused('no-such-person'), 'no-such-person'))
    await expect(
      requestReview(world.ctx(eve), secret, { num: at, username: 'eve' }, true),
    ).rejects.toMatchObject({
      code: 'repo-not-found',
    })
  })

  test('wait while the pull request is open and its repo can be seen', async () => {
    await ask(ada, 'eve')
    await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    expect(await waitingFor(eve)).toEqual([])
    await updateRepo(world.ctx(ada), repo, { visibility: 'public', discussionsEnabled: false })
    expect(await waitingFor(eve)).toEqual([])
    await updateRepo(world.ctx(ada), repo, { discussionsEnabled: true })
    expect(await waitingFor(eve)).toHaveLength(1)
    await updateDiscussion(world.ctx(ada), repo, num, { status: 'closed' })
    expect(await waitingFor(eve)).toEqual([])
    await ask(ada, 'eve', false)
  })

  test('are limited for each pull request', async () => {
    const names = Array.from({ length: limits.requestedReviewers + 1 }, (_, i) => `reviewer-${i}`)
    for (const name of names) await givenUser(world, name)
    for (const name of names.slice(1)) await ask(ada, name)
    await expect(ask(ada, 'reviewer-0')).rejects.toMatchObject({ code: 'state-conflict' })
    expect(await reviewers()).toHaveLength(limits.requestedReviewers)
    await ask(ada, 'reviewer-1', false)
    await ask(ada, 'reviewer-0')
  })

  test('are listed for signed-in people, and tokens that are not fenced', async () => {
    await ask(ada, 'eve')
    const { actor: reading } = await givenToken(world, eve, { scopes: ['read'] })
    expect(await waitingFor(reading)).toHaveLength(1)
    const fence = { namespaces: ['ada'] }
    const { actor: fenced } = await givenToken(world, eve, { fence })
    await expect(listReviewRequests(world.ctx(fenced))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(listReviewRequests(world.ctx({ kind: 'anonymous' }))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })
})
