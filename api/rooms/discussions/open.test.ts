import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit, pathsOf, textOf } from '../content/testing.ts'
import { listRefs } from '../content/index.ts'
import { updateRepo, type Repo } from '../repos/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { commitAnywhere } from './commit.ts'
import { getDiscussion } from './get.ts'
import { mergePullRequest } from './merge.ts'
import { listNotifications } from './notifications/list.ts'
import { givenDiscussion, givenPullRequest, givenTexts, typesOf } from './testing.ts'
import { updateDiscussion, type DiscussionChange } from './update.ts'

eachDatabase('opening discussions and pull requests', (world) => {
  let owner: UserActor
  let reader: UserActor
  let repo: Repo
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
    reader = await givenUser(world, 'bob')
    repo = await givenRepo(world, owner, { visibility: 'public' })
    await givenCommit(world, owner, repo, [add('a.txt', 'one\ntwo\nthree\n'), add('b.txt')])
  })
  const ctx = (actor: UserActor) => world.ctx(actor)
  const headOf = async (ref: string) => (await world.deps.git.openFresh(repo.id)).findRef(ref)?.commit

  test('a reader opens a discussion, whose description is its first comment', async () => {
    const num = await givenDiscussion(world, reader, repo, { title: ' Why \n so? ', body: 'Tell *me*.' })
    const { discussion, events } = await getDiscussion(ctx(owner), repo, num)
    expect(discussion).toMatchObject({
      num,
      kind: 'discussion',
      status: 'open',
      title: 'Why so?',
      author: 'bob',
      commentCount: 1,
    })
    expect(events).toMatchObject([{ type: 'comment', body: 'Tell *me*.', author: 'bob', edits: 0 }])
    expect(await headOf(`refs/pr/${num}`)).toBeUndefined()
  })

  test('discussions and pull requests of a repo share one sequence, each repo has its own', async () => {
    const other = await givenRepo(world, owner)
    expect(await givenDiscussion(world, owner, other)).toBe(1)
    expect(await givenPullRequest(world, owner, other, { x: 'x' })).toBe(2)
    expect(await givenDiscussion(world, owner, other, { kind: 'pull_request' })).toBe(3)
  })

  test('a pull request without commits stands at the head of the default branch', async () => {
    const num = await givenDiscussion(world, reader, repo, { kind: 'pull_request' })
    const { discussion } = await getDiscussion(ctx(reader), repo, num)
    expect(discussion.pull).toMatchObject({ ref: `refs/pr/${num}`, baseRef: 'refs/heads/main' })
    expect(await headOf(`refs/pr/${num}`)).toBe(await headOf('refs/heads/main'))
    expect((await listRefs(ctx(reader), repo)).map(({ name }) => name)).toContain(`refs/pr/${num}`)
  })

  test('a pull request without commits is a draft until its author or a writer opens it', async () => {
    const num = await givenDiscussion(world, reader, repo, { kind: 'pull_request' })
    const standing = async () => {
      const { discussion, events } = await getDiscussion(ctx(reader), repo, num)
      const moves = events.flatMap(({ type, before, after }) =>
        type === 'status_change' ? [before, after] : [],
      )
      return [discussion.status, discussion.pull?.isDraft, ...moves]
    }
    await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'draft.txt': 'x' })
    expect(await standing()).toEqual(['open', true])
    const other = await givenUser(world, `other-${num}`)
    const open = (actor: UserActor) => updateDiscussion(ctx(actor), repo, num, { status: 'open' })
    await expect(open(other)).rejects.toMatchObject({ code: 'forbidden' })
    const { moved } = await open(reader)
    expect(moved).toMatchObject({ before: 'draft', after: 'open' })
    expect((await open(reader)).moved).toBeUndefined()
    expect(await standing()).toEqual(['open', false, 'draft', 'open'])
  })

  test('a draft that is closed is opened as no draft; one that a commit opens is none; a merge by a hub client ends it', async () => {
    const num = await givenDiscussion(world, reader, repo, { kind: 'pull_request' })
    const change = (status: 'open' | 'closed') => updateDiscussion(ctx(reader), repo, num, { status })
    expect((await change('closed')).discussion).toMatchObject({ status: 'closed', pull: { isDraft: true } })
    expect((await change('open')).discussion).toMatchObject({ status: 'open', pull: { isDraft: false } })
    const made = await givenPullRequest(world, reader, repo, { 'ready.txt': 'x' })
    expect((await getDiscussion(ctx(reader), repo, made)).discussion.pull?.isDraft).toBe(false)
    const draft = await givenDiscussion(world, reader, repo, { kind: 'pull_request' })
    await givenTexts(world, reader, repo, `refs/pr/${draft}`, { 'drafted.txt': 'x' })
    const { discussion } = await mergePullRequest(ctx(owner), repo, draft, { mayBeDraft: true })
    expect(discussion).toMatchObject({ status: 'closed', pull: { isDraft: false, merged: {} } })
  })

  test('a commit opens a draft where that is asked, which cannot be merged until it is ready', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'asked.txt': 'x' }, { isDraft: true })
    const merge = () => mergePullRequest(ctx(owner), repo, num)
    await expect(merge()).rejects.toMatchObject({
      code: 'state-conflict',
      message: expect.stringContaining(`${num} is a draft`),
    })
    expect((await getDiscussion(ctx(owner), repo, num)).discussion.pull).toMatchObject({ isDraft: true })
    const { moved } = await updateDiscussion(ctx(owner), repo, num, { draft: false })
    expect(moved).toMatchObject({ before: 'draft', after: 'open', author: 'ada' })
    expect((await merge()).discussion).toMatchObject({ pull: { merged: {} } })
  })

  test('an open pull request becomes a draft by its author or a writer, and its people hear of it', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'open.txt': 'x' })
    const other = await givenUser(world, `passer-by-${num}`)
    const change = (actor: UserActor, wanted: DiscussionChange) =>
      updateDiscussion(ctx(actor), repo, num, wanted)
    await expect(change(other, { draft: true })).rejects.toMatchObject({ code: 'forbidden' })
    const { moved, discussion } = await change(owner, { draft: true })
    expect(moved).toMatchObject({ type: 'status_change', before: 'open', after: 'draft', author: 'ada' })
    expect(discussion).toMatchObject({ status: 'open', pull: { isDraft: true } })
    const [first] = (await listNotifications(ctx(reader), { limit: 1 })).items
    expect(first).toMatchObject({ num, type: 'status_change', to: 'draft', author: 'ada' })
    expect((await change(reader, { draft: true })).moved).toBeUndefined()
    expect((await change(reader, { draft: false })).moved).toMatchObject({ before: 'draft', after: 'open' })
    expect((await change(reader, { draft: false })).moved).toBeUndefined()
    await change(reader, { draft: true, status: 'open' })
    await change(reader, { status: 'closed' })
    await expect(change(reader, { draft: true })).rejects.toMatchObject({ code: 'state-conflict' })
    expect((await change(reader, { draft: false })).moved).toBeUndefined()
    const reopened = await change(reader, { status: 'open', draft: true })
    expect(reopened.moved).toMatchObject({ before: 'closed', after: 'draft' })
    await change(reader, { draft: false })
    await mergePullRequest(ctx(owner), repo, num)
    await expect(change(owner, { draft: true })).rejects.toMatchObject({ code: 'state-conflict' })
    const discussed = await givenDiscussion(world, reader, repo)
    await expect(updateDiscussion(ctx(reader), repo, discussed, { draft: true })).rejects.toMatchObject({
      code: 'validation-failed',
    })
  })

  test('a reader opens a pull request by a commit, and goes on in it; the base stays as it is', async () => {
    const before = await headOf('refs/heads/main')
    const num = await givenPullRequest(
      world,
      reader,
      repo,
      { 'c.txt': 'new' },
      { title: 'Add c', body: 'Because.' },
    )
    await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'd.txt': 'newer' })
    const { discussion, events } = await getDiscussion(ctx(reader), repo, num)
    expect(discussion).toMatchObject({ title: 'Add c', kind: 'pull_request', author: 'bob' })
    expect(discussion.pull?.openedOn).toBe(before)
    expect(events.map(({ type, body, after }) => [type, body ?? after])).toEqual([
      ['comment', 'Because.'],
      ['commit', 'Add c'],
      ['commit', 'More of it'],
    ])
    expect(events[2]?.commit).toBe(await headOf(`refs/pr/${num}`))
    expect(await pathsOf(world, reader, repo, `refs/pr/${num}`)).toContain('d.txt')
    expect(await pathsOf(world, reader, repo)).not.toContain('c.txt')
    expect(await headOf('refs/heads/main')).toBe(before)
  })

  test('it is built on the commit the caller has seen, though the base has moved on', async () => {
    const seen = (await headOf('refs/heads/main')) ?? ''
    await givenCommit(world, owner, repo, [add('later.txt')])
    const num = await givenPullRequest(
      world,
      reader,
      repo,
      { 'e.txt': 'e' },
      { parentCommit: seen.slice(0, 9) },
    )
    expect((await getDiscussion(ctx(reader), repo, num)).discussion.pull?.openedOn).toBe(seen)
    expect(await pathsOf(world, reader, repo, `refs/pr/${num}`)).not.toContain('later.txt')
  })

  describe('a commit that cannot be made opens nothing', () => {
    test.each([
      ['a file to delete that is not there', [{ op: 'delete', path: 'absent' }], {}, 'entry-not-found'],
      ['a path git could not hold', [add('.git/config')], {}, 'validation-failed'],
      ['no change', [add('a.txt', 'one\ntwo\nthree\n')], {}, 'validation-failed'],
      ['no base', [add('x')], { branch: 'absent' }, 'revision-not-found'],
      ['no such parent', [add('x')], { parentCommit: 'abcdef1' }, 'revision-not-found'],
      [
        'an object nobody has sent',
        [{ op: 'add-lfs', path: 'w.bin', sha256: 'a'.repeat(64), sizeBytes: 5 }],
        {},
        'lfs-object-missing',
      ],
    ] as const)('%s', async (_, operations, more, code) => {
      const before = await world.db.q.select().from(world.db.t.discussion_counters)
      const refs = (await world.deps.git.openFresh(repo.id)).listRefs().length
      const input = {
        title: 'No',
        via: 'api',
        createPullRequest: true,
        operations: [...operations],
        ...more,
      } as const
      await expect(commitAnywhere(ctx(reader), repo, input)).rejects.toMatchObject({ code })
      expect(await world.db.q.select().from(world.db.t.discussion_counters)).toEqual(before)
      expect((await world.deps.git.openFresh(repo.id)).listRefs()).toHaveLength(refs)
    })
  })

  test('twenty people open twenty at once, each with its own number and ref', async () => {
    const busy = await givenRepo(world, owner, { visibility: 'public' })
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0
          ? givenPullRequest(world, reader, busy, { [`${i}.txt`]: `${i}` })
          : givenDiscussion(world, reader, busy, { kind: i % 4 === 1 ? 'discussion' : 'pull_request' }),
      ),
    )
    expect(opened.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    const refs = (await world.deps.git.openFresh(busy.id)).listRefs('refs/pr/')
    expect(refs).toHaveLength(15)
    for (const [i, num] of opened.entries())
      if (i % 2 === 0) expect(await textOf(world, reader, busy, `${i}.txt`, `refs/pr/${num}`)).toBe(`${i}`)
  })

  test('twenty commits to one pull request at once lose nothing', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'first.txt': '0' })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        givenTexts(world, reader, repo, `refs/pr/${num}`, { [`many/${i}`]: 'x' }),
      ),
    )
    const paths = await pathsOf(world, reader, repo, `refs/pr/${num}`)
    expect(paths.filter((path) => path.startsWith('many/'))).toHaveLength(20)
    expect((await typesOf(world, reader, repo, num)).filter((type) => type === 'commit')).toHaveLength(21)
  })

  describe('permission', () => {
    test('its author and writers may commit to a pull request', async () => {
      const num = await givenPullRequest(world, reader, repo, { 'mine.txt': 'x' })
      const other = await givenUser(world, 'cyd')
      await expect(givenTexts(world, other, repo, `refs/pr/${num}`, { y: 'y' })).rejects.toMatchObject({
        code: 'forbidden',
      })
      await givenTexts(world, owner, repo, `refs/pr/${num}`, { y: 'y' })
      expect(await pathsOf(world, other, repo, `refs/pr/${num}`)).toContain('y')
    })

    test('no user may commit to a missing one, or to a mere discussion', async () => {
      const num = await givenDiscussion(world, reader, repo)
      for (const at of [num, 9999])
        await expect(givenTexts(world, owner, repo, `refs/pr/${at}`, { y: 'y' })).rejects.toMatchObject({
          code: 'revision-not-found',
        })
    })

    test('anonymous callers and tokens that only read may not open one', async () => {
      const { actor } = await givenToken(world, reader, { scopes: ['read'] })
      await expect(givenPullRequest(world, actor, repo, { x: 'x' })).rejects.toMatchObject({
        code: 'insufficient-scope',
      })
      await expect(givenDiscussion(world, actor, repo)).rejects.toMatchObject({ code: 'insufficient-scope' })
      const anonymous = { ...world.ctx(), actor: { kind: 'anonymous' } } as const
      const input = { title: 'x', via: 'api', operations: [add('x')], createPullRequest: true } as const
      await expect(commitAnywhere(anonymous, repo, input)).rejects.toMatchObject({ code: 'unauthenticated' })
    })

    test('no user may open or change one where discussions are disabled', async () => {
      const quiet = await givenRepo(world, owner, { visibility: 'public' })
      const num = await givenPullRequest(world, reader, quiet, { x: 'x' })
      await updateRepo(world.ctx(owner), quiet, { discussionsEnabled: false })
      const disabled = { code: 'discussions-disabled' }
      await expect(givenPullRequest(world, owner, quiet, { x: 'x' })).rejects.toMatchObject(disabled)
      await expect(givenTexts(world, owner, quiet, `refs/pr/${num}`, { x: 'y' })).rejects.toMatchObject(
        disabled,
      )
      await expect(givenDiscussion(world, owner, quiet)).rejects.toMatchObject(disabled)
      await expect(getDiscussion(ctx(owner), quiet, num)).rejects.toMatchObject(disabled)
    })

    test('to a private repo only who knows of it', async () => {
      const hidden = await givenRepo(world, owner)
      await expect(givenDiscussion(world, reader, hidden)).rejects.toMatchObject({ code: 'repo-not-found' })
      await expect(givenPullRequest(world, reader, hidden, { x: 'x' })).rejects.toMatchObject({
        code: 'repo-not-found',
      })
    })

    test('to a gated one by commit only who has its files: a README would show them to all', async () => {
      const gated = await givenRepo(world, owner, { visibility: 'public', gated: 'manual' })
      await givenCommit(world, owner, gated, [add('secret.txt')])
      const copy = [{ op: 'copy', from: 'secret.txt', to: 'README.md' }] as const
      const input = { title: 'x', via: 'api', operations: copy, createPullRequest: true } as const
      await expect(commitAnywhere(ctx(reader), gated, input)).rejects.toMatchObject({ code: 'gated' })
      const num = await givenDiscussion(world, reader, gated, { kind: 'pull_request' })
      const more = { title: 'x', via: 'api', operations: copy, branch: `refs/pr/${num}` } as const
      await expect(commitAnywhere(ctx(reader), gated, more)).rejects.toMatchObject({ code: 'gated' })
    })
  })
})
