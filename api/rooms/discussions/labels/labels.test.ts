import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { setCollaborators } from '../../repos/people/collaborators.ts'
import { getDiscussion } from '../get.ts'
import { listDiscussions } from '../list.ts'
import { marksOf } from '../marks.ts'
import { givenDiscussion } from '../testing.ts'
import { updateDiscussion } from '../update.ts'
import { createLabel, deleteLabel, listLabels, updateLabel } from './change-labels.ts'

eachDatabase('labels', (world) => {
  let ada: UserActor
  let writer: UserActor
  let reader: UserActor
  let author: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    writer = await givenUser(world, 'writer')
    reader = await givenUser(world, 'reader')
    author = await givenUser(world, 'author')
    await givenOrg(world, 'acme', ada, [
      [writer, 'write'],
      [reader, 'read'],
    ])
  })
  beforeEach(async () => {
    repo = await givenRepo(world, ada, { ns: 'acme', visibility: 'public' })
    num = await givenDiscussion(world, author, repo)
  })
  const given = (name: string, more: object = {}) =>
    createLabel(world.ctx(writer), repo, { name, color: 'red', ...more })
  const set = (by: UserActor, labels: string[], at = num) =>
    updateDiscussion(world.ctx(by), repo, at, { labels })
  const namesOf = async (at = num) => {
    const { discussion } = await getDiscussion(world.ctx(ada), repo, at)
    return (await marksOf(world.db, [discussion]))(discussion).labels.map(({ name }) => name)
  }
  const changes = async () =>
    (await getDiscussion(world.ctx(ada), repo, num)).events
      .filter(({ type }) => type === 'label_change')
      .map(({ author: by, change }) => ({ by, ...change }))
  const found = async (label: string, more: object = {}) =>
    (await listDiscussions(world.ctx(reader), repo, { label, limit: 50, ...more })).discussions.map(
      (each) => each.num,
    )

  test('are added, renamed and deleted, and listed by name', async () => {
    const bug = await given('  Known \n bug ', { description: ' It fails ' })
    expect(bug).toMatchObject({ name: 'Known bug', color: 'red', description: 'It fails' })
    await given('answered')
    const list = () => listLabels(world.ctx(reader), repo)
    expect((await list()).map(({ name }) => name)).toEqual(['answered', 'Known bug'])
    const renamed = await updateLabel(world.ctx(writer), repo, bug.id, { name: 'BUG', color: 'pink' })
    expect(renamed).toEqual({ ...bug, name: 'BUG', color: 'pink' })
    await updateLabel(world.ctx(writer), repo, bug.id, { description: '' })
    expect(await list()).toMatchObject([
      { name: 'answered' },
      { name: 'BUG', color: 'pink', description: '' },
    ])
    await deleteLabel(world.ctx(writer), repo, bug.id)
    expect(await list()).toHaveLength(1)
    await expect(deleteLabel(world.ctx(writer), repo, bug.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('have names that are unique in any case, in their repo', async () => {
    const bug = await given('Bug')
    await expect(given('bUG')).rejects.toMatchObject({
      code: 'already-exists',
      detail: 'A label "Bug" exists. Use that one, or choose another name.',
    })
    await expect(given('É')).resolves.toBeDefined()
    await expect(given('e\u0301')).rejects.toMatchObject({ code: 'already-exists' })
    const other = await given('other')
    const rename = (id: string, name: string) => updateLabel(world.ctx(writer), repo, id, { name })
    await expect(rename(other.id, 'BUG')).rejects.toMatchObject({ code: 'already-exists' })
    expect(await rename(bug.id, 'BUG')).toMatchObject({ name: 'BUG' })
    const elsewhere = await givenRepo(world, ada, { ns: 'acme' })
    await createLabel(world.ctx(ada), elsewhere, { name: 'bug', color: 'gray' })
    await expect(updateLabel(world.ctx(ada), elsewhere, bug.id, { name: 'x' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('of the same name, added at the same time, are one', async () => {
    const made = await Promise.allSettled(['race', 'Race', 'RACE'].map((name) => given(name)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listLabels(world.ctx(ada), repo)).toHaveLength(1)
  })

  test('are limited, in their texts and for each repo', async () => {
    for (const [field, value] of [
      ['name', ' '],
      ['name', 'x'.repeat(limits.labelName + 1)],
      ['name', 'a\0b'],
      ['description', 'x'.repeat(limits.labelDescription + 1)],
    ] as const)
      await expect(given('fine', { [field]: value })).rejects.toMatchObject({
        code: 'validation-failed',
        errors: [{ field }],
      })
    for (let n = 0; n < limits.labels; n++) await given(`label ${n}`)
    await expect(given('one more')).rejects.toMatchObject({ code: 'state-conflict' })
  })

  test('are changed by those who may write, and read by those who may read', async () => {
    const bug = await given('bug')
    const ctx = (actor: UserActor) => world.ctx(actor)
    for (const by of [reader, author]) {
      for (const change of [
        () => createLabel(ctx(by), repo, { name: 'x', color: 'red' }),
        () => updateLabel(ctx(by), repo, bug.id, { name: 'x' }),
        () => deleteLabel(ctx(by), repo, bug.id),
        () => set(by, [bug.id]),
        () => set(by, []),
      ])
        await expect(change()).rejects.toMatchObject({ code: 'forbidden' })
      expect(await listLabels(ctx(by), repo)).toHaveLength(1)
    }
    const anonymous = world.ctx({ kind: 'anonymous' })
    await expect(createLabel(anonymous, repo, { name: 'x', color: 'red' })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const { actor: token } = await givenToken(world, writer, { scopes: ['read'] })
    await expect(set(token, [bug.id])).rejects.toMatchObject({ code: 'insufficient-scope' })
    expect(await changes()).toEqual([])
    await setCollaborators(ctx(ada), repo, [{ username: 'author', role: 'write' }])
    await set(author, [bug.id])
    expect(await namesOf()).toEqual(['bug'])
  })

  test('of private repos are hidden, and of repos without discussions closed', async () => {
    const bug = await given('bug')
    await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    for (const ask of [
      () => listLabels(world.ctx(author), repo),
      () => createLabel(world.ctx(author), repo, { name: 'x', color: 'red' }),
      () => updateLabel(world.ctx(author), repo, bug.id, { name: 'x' }),
      () => deleteLabel(world.ctx(author), repo, bug.id),
      () => set(author, [bug.id]),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'repo-not-found' })
    await updateRepo(world.ctx(ada), repo, { discussionsEnabled: false })
    await expect(listLabels(world.ctx(ada), repo)).rejects.toMatchObject({ code: 'discussions-disabled' })
    await expect(given('x')).rejects.toMatchObject({ code: 'discussions-disabled' })
  })

  test('of a discussion are replaced, and the thread says what changed', async () => {
    const [bug, docs, old] = [await given('bug'), await given('docs'), await given('old')]
    await set(writer, [old.id, bug.id, bug.id])
    expect(await namesOf()).toEqual(['bug', 'old'])
    await set(ada, [docs.id, bug.id])
    expect(await namesOf()).toEqual(['bug', 'docs'])
    await set(ada, [bug.id, docs.id])
    await updateDiscussion(world.ctx(ada), repo, num, { title: 'Another' })
    expect(await namesOf()).toEqual(['bug', 'docs'])
    await set(ada, [])
    expect(await namesOf()).toEqual([])
    const [red] = [{ color: 'red' }]
    expect(await changes()).toEqual([
      {
        by: 'writer',
        added: [
          { name: 'bug', ...red },
          { name: 'old', ...red },
        ],
        removed: [],
      },
      { by: 'ada', added: [{ name: 'docs', ...red }], removed: [{ name: 'old', ...red }] },
      {
        by: 'ada',
        added: [],
        removed: [
          { name: 'bug', ...red },
          { name: 'docs', ...red },
        ],
      },
    ])
    await updateLabel(world.ctx(ada), repo, bug.id, { name: 'defect' })
    expect((await changes())[0]).toMatchObject({ added: [{ name: 'bug' }, { name: 'old' }] })
  })

  test('of a discussion are of its repo and at most 20, or nothing of the change happens', async () => {
    const bug = await given('bug')
    const elsewhere = await givenRepo(world, ada, { ns: 'acme' })
    const foreign = await createLabel(world.ctx(ada), elsewhere, { name: 'bug', color: 'gray' })
    const change = { title: 'Retitled', status: 'closed', labels: [bug.id, foreign.id] } as const
    await expect(updateDiscussion(world.ctx(ada), repo, num, change)).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'labels', code: 'unknown' }],
    })
    expect((await getDiscussion(world.ctx(ada), repo, num)).events).toHaveLength(1)
    const many = []
    for (let n = 0; n <= limits.discussionLabels; n++) many.push((await given(`l${n}`)).id)
    await expect(set(ada, many)).rejects.toMatchObject({ code: 'validation-failed' })
    await set(ada, many.slice(1))
    expect(await namesOf()).toHaveLength(limits.discussionLabels)
  })

  test('leave a row of the audit with what they were and are, unless the author sets them', async () => {
    const [bug, docs] = [await given('bug'), await given('docs')]
    await set(writer, [bug.id])
    await updateDiscussion(world.ctx(ada), repo, num, { labels: [docs.id], assignees: ['ada'] })
    const own = await givenDiscussion(world, writer, repo)
    await set(writer, [bug.id], own)
    const { q, t } = world.db
    const rows = await q.select().from(t.audit).where(eq(t.audit.action, 'discussion.update'))
    const name = `acme/${repo.name}#`
    const ofRepo = rows.filter((row) => row.target_name.startsWith(name))
    const title = { title: 'What about it?', status: 'open' }
    expect(ofRepo.map(({ before, after }) => [before, after])).toEqual([
      [
        { ...title, labels: [] },
        { ...title, labels: ['bug'] },
      ],
      [
        { ...title, labels: ['bug'], assignees: [] },
        { ...title, labels: ['docs'], assignees: ['ada'] },
      ],
    ])
  })

  test('set at the same time are those of one change', async () => {
    const ids = []
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await given(name)).id)
    await Promise.all(ids.map((id, n) => set(n % 2 ? ada : writer, [id])))
    expect(await namesOf()).toHaveLength(1)
    expect(await changes()).toHaveLength(4)
  })

  test('go from discussions once they are deleted, and threads keep what they say', async () => {
    const [bug, docs] = [await given('bug'), await given('docs')]
    await set(ada, [bug.id, docs.id])
    await deleteLabel(world.ctx(ada), repo, bug.id)
    expect(await namesOf()).toEqual(['docs'])
    expect(await found('bug')).toEqual([])
    expect(await changes()).toMatchObject([{ added: [{ name: 'bug' }, { name: 'docs' }] }])
    await expect(set(ada, [bug.id])).rejects.toMatchObject({ code: 'validation-failed' })
  })

  test('find discussions by name or id, page by page, with other filters', async () => {
    const [bug, docs] = [await given('Bug'), await given('docs')]
    const nums = []
    for (let n = 0; n < 7; n++) nums.push(await givenDiscussion(world, n % 2 ? ada : author, repo))
    for (const at of nums.slice(0, 5)) await set(ada, [bug.id], at)
    for (const at of nums.slice(4)) await set(ada, at === nums[4] ? [bug.id, docs.id] : [docs.id], at)
    const newest = nums.slice(0, 5).toReversed()
    expect(await found('bUG')).toEqual(newest)
    expect(await found(bug.id)).toEqual(newest)
    expect(await found('docs', { author: 'ada' })).toEqual([nums[5]])
    await updateDiscussion(world.ctx(ada), repo, nums[0] ?? 0, { status: 'closed' })
    expect(await found('bug', { status: 'open' })).toEqual(newest.slice(0, 4))
    expect(await found('no such label')).toEqual([])
    const pages: number[][] = []
    for (let before: number | undefined; ;) {
      const query = { label: 'bug', kind: 'discussion', before, limit: 2 } as const
      const { discussions, next } = await listDiscussions(world.ctx(reader), repo, query)
      pages.push(discussions.map((each) => each.num))
      if (next === undefined) break
      before = next
    }
    expect(pages).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)])
    const elsewhere = await givenRepo(world, ada, { ns: 'acme' })
    expect(
      (await listDiscussions(world.ctx(ada), elsewhere, { label: bug.id, limit: 9 })).discussions,
    ).toEqual([])
  })
})
