import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { WebhookEvent } from '../../../shared/vocabulary.ts'
import type { UserActor } from '../../core/access/index.ts'
import { createBranch, deleteBranch, createTag } from '../content/index.ts'
import { add, givenCommit } from '../content/testing.ts'
import { shortId } from '../../stores/db/index.ts'
import {
  comment,
  editComment,
  getDiscussion,
  hideComment,
  mergePullRequest,
  updateDiscussion,
} from '../discussions/index.ts'
import { createLabel } from '../discussions/labels/change-labels.ts'
import { submitReview } from '../discussions/review/submit.ts'
import { givenDiscussion, givenPullRequest } from '../discussions/testing.ts'
import { publish } from '../../core/events/index.ts'
import { Execution } from '../../core/jobs/execution.ts'
import { defineJob, enqueue } from '../../core/jobs/index.ts'
import { claimOne } from '../../core/jobs/queries.ts'
import { jobEnded } from '../../app/housekeeping.ts'
import { createRepo, deleteRepo, renameRepo, transferRepo, updateRepo, type Repo } from '../repos/index.ts'
import { restoreRepo } from '../repos/lifecycle/restore.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../testing.ts'
import { deliverDue, givenWebhook, useReceiver } from './testing.ts'

type Received = Record<string, unknown> & { event: { action: string; scope: string } }

eachDatabase('what webhooks receive', (world) => {
  const receiver = useReceiver(world)
  let ada: UserActor
  let org: { id: string; name: string }
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    org = await givenOrg(world, 'acme', ada)
    const watched = [{ ns: 'acme' }]
    const events: WebhookEvent[] = [
      'repo',
      'repo.content',
      'repo.config',
      'discussion',
      'discussion.comment',
      'job',
    ]
    await givenWebhook(world, ada, { url: receiver.url, watched, events })
    repo = await createRepo(world.ctx(ada), { type: 'model', ns: 'acme', name: 'tiny' })
  })
  beforeEach(async () => {
    await deliverDue(world)
    receiver.received.length = 0
  })

  /** What arrives because of `change`, as `action scope` and whole. */
  async function receivedFrom(change: () => Promise<unknown>): Promise<Received[]> {
    await change()
    await deliverDue(world)
    return receiver.received.splice(0).map(({ body }) => JSON.parse(body) as Received)
  }
  const kinds = (received: Received[]) =>
    received.map(({ event }) => `${event.action} ${event.scope}`).toSorted()
  const ctx = () => world.ctx(ada)

  test('repos come, change, move, go and come back', async () => {
    const at = { type: 'dataset' as const, ns: 'acme', name: 'rows' }
    expect(await receivedFrom(() => createRepo(ctx(), { ...at, visibility: 'private' }))).toMatchObject([
      {
        event: { action: 'create', scope: 'repo' },
        repo: {
          type: 'dataset',
          name: 'acme/rows',
          private: true,
          owner: { id: shortId(org.id) },
          url: {
            web: 'http://localhost:8080/datasets/acme/rows',
            api: 'http://localhost:8080/api/datasets/acme/rows',
          },
        },
      },
    ])
    expect(
      await receivedFrom(() => updateRepo(ctx(), at, { visibility: 'public', gated: 'auto' })),
    ).toMatchObject([
      {
        event: { action: 'update', scope: 'repo.config' },
        repo: { private: false },
        updatedConfig: { private: false, gated: 'auto' },
      },
    ])
    expect(await receivedFrom(() => renameRepo(ctx(), at, 'lines'))).toMatchObject([
      {
        event: { action: 'move', scope: 'repo' },
        repo: { name: 'acme/rows' },
        movedTo: { name: 'acme/lines', owner: { id: shortId(org.id) } },
      },
    ])
    const moved = { ...at, name: 'lines' }
    expect(kinds(await receivedFrom(() => deleteRepo(ctx(), moved)))).toEqual(['delete repo'])
    expect(kinds(await receivedFrom(() => restoreRepo(ctx(), moved)))).toEqual(['create repo'])
    expect(kinds(await receivedFrom(() => updateRepo(ctx(), moved, { visibility: 'public' })))).toEqual([])
  })

  test('a repo that moves to another namespace is reported in both', async () => {
    const bob = await givenUser(world, 'bob')
    const both = await givenOrg(world, 'other', ada, [[bob, 'admin']])
    await givenWebhook(world, ada, { url: `${receiver.url}/other`, watched: [{ ns: both.name }] })
    const moving = await givenRepo(world, ada, { ns: 'acme', name: 'moving' })
    await deliverDue(world)
    receiver.received.length = 0
    const received = await receivedFrom(() => transferRepo(ctx(), moving, both.name))
    expect(received).toMatchObject([
      { event: { action: 'move', scope: 'repo' }, movedTo: { name: 'other/moving' } },
      { event: { action: 'move', scope: 'repo' }, movedTo: { name: 'other/moving' } },
    ])
    expect(new Set(received.map(({ webhook }) => JSON.stringify(webhook))).size).toBe(2)
  })

  test('refs move, by commits, branches, tags and pull requests', async () => {
    const moves = async (change: () => Promise<unknown>) =>
      (await receivedFrom(change))
        .filter(({ event }) => event.scope === 'repo.content')
        .map(({ updatedRefs }) => updatedRefs)
    const oid = expect.stringMatching(/^[\da-f]{40}$/)
    const via = 'api' as const
    expect(await moves(() => givenCommit(world, ada, repo, [add('a.txt')]))).toEqual([
      [{ ref: 'refs/heads/main', oldSha: oid, newSha: oid }],
    ])
    expect(await moves(() => createBranch(ctx(), repo, { name: 'side', via }))).toEqual([
      [{ ref: 'refs/heads/side', oldSha: null, newSha: oid }],
    ])
    expect(await moves(() => createBranch(ctx(), repo, { name: 'void', isEmpty: true, via }))).toEqual([
      [{ ref: 'refs/heads/void', oldSha: null, newSha: oid }],
    ])
    expect(await moves(() => deleteBranch(ctx(), repo, 'side', via))).toEqual([
      [{ ref: 'refs/heads/side', oldSha: oid, newSha: null }],
    ])
    expect(await moves(() => createTag(ctx(), repo, { name: 'v1', via }))).toEqual([
      [{ ref: 'refs/tags/v1', oldSha: null, newSha: oid }],
    ])
    expect(await moves(() => createTag(ctx(), repo, { name: 'v2', message: 'two', via }))).toEqual([
      [{ ref: 'refs/tags/v2', oldSha: null, newSha: oid }],
    ])
    expect(await moves(() => givenPullRequest(world, ada, repo, { 'b.txt': 'b' }))).toEqual([
      [{ ref: 'refs/pr/1', oldSha: null, newSha: oid }],
    ])
    expect(await moves(() => givenDiscussion(world, ada, repo, { kind: 'pull_request' }))).toEqual([
      [{ ref: 'refs/pr/2', oldSha: null, newSha: oid }],
    ])
    expect(await moves(() => mergePullRequest(ctx(), repo, 1))).toEqual([
      [{ ref: 'refs/heads/main', oldSha: oid, newSha: oid }],
    ])
  })

  test('discussions are opened, retitled, closed, merged', async () => {
    let num = 0
    const [opened] = await receivedFrom(
      async () => (num = await givenDiscussion(world, ada, repo, { title: 'Why?' })),
    )
    expect(opened).toMatchObject({
      event: { action: 'create', scope: 'discussion' },
      discussion: {
        num,
        title: 'Why?',
        status: 'open',
        isPullRequest: false,
        author: { id: shortId(ada.id) },
        url: { web: `http://localhost:8080/acme/tiny/discussions/${num}` },
      },
      comment: { content: 'I ask.', hidden: false, author: { id: shortId(ada.id) } },
    })
    const change = { title: 'How?', status: 'closed' as const, comment: 'Done.' }
    const received = await receivedFrom(() => updateDiscussion(ctx(), repo, num, change))
    expect(kinds(received)).toEqual(['create discussion.comment', 'update discussion'])
    expect(received.find(({ event }) => event.scope === 'discussion')).toMatchObject({
      discussion: { title: 'How?', status: 'closed' },
    })
    const pull = await givenPullRequest(world, ada, repo, { 'c.txt': 'c' })
    await deliverDue(world)
    receiver.received.length = 0
    const merged = await receivedFrom(() => mergePullRequest(ctx(), repo, pull))
    expect(kinds(merged)).toEqual(['update discussion', 'update repo.content'])
    expect(merged.find(({ event }) => event.scope === 'discussion')).toMatchObject({
      discussion: {
        status: 'merged',
        isPullRequest: true,
        changes: { base: 'refs/heads/main', mergeCommitId: expect.stringMatching(/^[\da-f]{40}$/) },
      },
    })
  })

  test('discussions are labelled and assigned, and nothing comes of what was so already', async () => {
    const num = await givenDiscussion(world, ada, repo)
    const label = await createLabel(ctx(), repo, { name: 'bug', color: 'red' })
    await deliverDue(world)
    receiver.received.length = 0
    const sorted = { labels: [label.id], assignees: ['ada'] }
    const received = await receivedFrom(() => updateDiscussion(ctx(), repo, num, sorted))
    expect(kinds(received)).toEqual(['update discussion'])
    expect(await receivedFrom(() => updateDiscussion(ctx(), repo, num, sorted))).toEqual([])
  })

  test('comments are written, edited, and hidden without what they said', async () => {
    const num = await givenDiscussion(world, ada, repo)
    await deliverDue(world)
    receiver.received.length = 0
    const scope = 'discussion.comment'
    expect(await receivedFrom(() => comment(ctx(), repo, num, 'First.'))).toMatchObject([
      {
        event: { action: 'create', scope },
        discussion: { num },
        comment: { content: 'First.', hidden: false },
      },
    ])
    const { events } = await getDiscussion(ctx(), repo, num)
    const at = { num, id: events.at(-1)?.id ?? '' }
    expect(await receivedFrom(() => editComment(ctx(), repo, at, 'Second.'))).toMatchObject([
      { event: { action: 'update', scope }, comment: { id: shortId(at.id), content: 'Second.' } },
    ])
    const [sent] = await receivedFrom(() => hideComment(ctx(), repo, at))
    expect(sent).toMatchObject({ event: { action: 'update', scope }, comment: { hidden: true } })
    expect(sent?.['comment']).not.toHaveProperty('content')
  })

  test('each comment of a review is written, and the discussion is updated', async () => {
    const num = await givenPullRequest(world, ada, repo, { 'reviewed.txt': 'x' })
    await deliverDue(world)
    receiver.received.length = 0
    const { discussion } = await getDiscussion(ctx(), repo, num)
    const received = await receivedFrom(() =>
      submitReview(ctx(), repo, num, {
        verdict: 'comment',
        head: discussion.pull?.head ?? '',
        body: 'Fine.',
        comments: [{ place: { path: 'reviewed.txt', side: 'new', line: 1 }, body: 'Why?' }],
      }),
    )
    const scope = 'discussion.comment'
    expect(kinds(received)).toEqual([`create ${scope}`, `create ${scope}`, 'update discussion'])
  })

  test('jobs of a repo end', async () => {
    const { deps } = world
    const kind = defineJob({
      kind: 'test.noop',
      input: z.strictObject({}),
      maxAttempts: 1,
      title: () => 'Nothing',
      run: async () => undefined,
    })
    const received = await receivedFrom(async () => {
      await world.db.write((tx) => enqueue(tx, ctx(), kind, {}, { repoId: repo.id }))
      const wanted = { engine: deps.db.engine, kinds: [kind], worker: 'w', now: world.clock.now }
      const job = await world.db.write((tx) => claimOne(tx, { ...wanted, leaseMs: 60_000 }))
      if (job) await new Execution(deps, kind, job, async () => world.clock.now, jobEnded).run()
    })
    expect(received).toMatchObject([
      {
        event: { action: 'update', scope: 'job' },
        repo: { name: 'acme/tiny' },
        job: { kind: 'test.noop', status: 'succeeded', title: 'Nothing' },
      },
    ])
  })

  test('nothing that was undone, and nothing to those who watch for something else', async () => {
    await givenWebhook(world, ada, { url: receiver.url, watched: [{ repo }], events: ['discussion.comment'] })
    const failing = world.db.write(async (tx) => {
      await publish(tx, world.deps, { repoId: repo.id, event: 'repo', action: 'delete' })
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(kinds(await receivedFrom(() => givenCommit(world, ada, repo, [add('z.txt')])))).toEqual([
      'update repo.content',
    ])
  })
})
