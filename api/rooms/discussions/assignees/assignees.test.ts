import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import type { Repo } from '../../repos/index.ts'
import { setCollaborators } from '../../repos/people/collaborators.ts'
import { comment } from '../comment.ts'
import { editComment } from '../edit-comment.ts'
import { getDiscussion } from '../get.ts'
import { listDiscussions } from '../list.ts'
import { marksOf } from '../marks.ts'
import { listNotifications } from '../notifications/list.ts'
import { muteDiscussion } from '../notifications/mute.ts'
import { givenDiscussion } from '../testing.ts'
import { updateDiscussion } from '../update.ts'

eachDatabase('assignees', (world) => {
  let ada: UserActor
  let bob: UserActor
  let eve: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    eve = await givenUser(world, 'eve')
  })
  beforeEach(async () => {
    repo = await givenRepo(world, ada, { visibility: 'public' })
    num = await givenDiscussion(world, bob, repo)
  })
  const assign = (by: UserActor, assignees: string[], at = num) =>
    updateDiscussion(world.ctx(by), repo, at, { assignees })
  const read = (at = num) => getDiscussion(world.ctx(ada), repo, at)
  const assigned = async () => {
    const { discussion } = await read()
    return (await marksOf(world.db, [discussion]))(discussion).assignees.map(({ username }) => username)
  }
  const heardBy = async (actor: UserActor) =>
    (await listNotifications(world.ctx(actor), { limit: 50 })).items
      .filter((item) => item.repo.name === repo.name)
      .map(({ reason, type }) => [reason, type])

  test('are replaced, and the thread says who came and went', async () => {
    await assign(ada, ['Eve', 'eve', 'ada'])
    expect(await assigned()).toEqual(['ada', 'eve'])
    await assign(ada, ['bob', 'ada'])
    await assign(ada, ['ada', 'bob'])
    await assign(ada, [])
    expect(await assigned()).toEqual([])
    const { events } = await read()
    expect(events.filter(({ type }) => type === 'assignee_change').map(({ change }) => change)).toEqual([
      { added: [{ name: 'ada' }, { name: 'eve' }], removed: [] },
      { added: [{ name: 'bob' }], removed: [{ name: 'eve' }] },
      { added: [], removed: [{ name: 'ada' }, { name: 'bob' }] },
    ])
  })

  test('hear that they are assigned, and of what follows, but not of what they do', async () => {
    await assign(ada, ['ada', 'eve'])
    await assign(ada, ['ada', 'eve', 'bob'])
    expect(await heardBy(eve)).toEqual([['assigned', 'assignee_change']])
    expect((await heardBy(ada)).filter(([reason]) => reason === 'assigned')).toEqual([])
    expect(await heardBy(bob)).toEqual([['assigned', 'assignee_change']])
    const { id } = await comment(world.ctx(bob), repo, num, 'Now, @eve')
    expect((await heardBy(eve))[0]).toEqual(['mention', 'comment'])
    await editComment(world.ctx(bob), repo, { num, id }, 'Now')
    expect((await heardBy(eve))[0]).toEqual(['taking_part', 'comment'])
    await assign(ada, [])
    await comment(world.ctx(bob), repo, num, 'Later')
    expect(await heardBy(eve)).toHaveLength(2)
  })

  test('who muted the thread hear that they are assigned, and no more', async () => {
    await muteDiscussion(world.ctx(eve), repo, num, true)
    await assign(ada, ['eve'])
    await comment(world.ctx(bob), repo, num, 'More')
    expect(await heardBy(eve)).toEqual([['assigned', 'assignee_change']])
  })

  test('are set by those who may write, not by the author', async () => {
    for (const by of [bob, eve])
      await expect(assign(by, ['bob'])).rejects.toMatchObject({ code: 'forbidden' })
    await setCollaborators(world.ctx(ada), repo, [{ username: 'eve', role: 'write' }])
    await assign(eve, ['bob'])
    expect(await assigned()).toEqual(['bob'])
  })

  test('can read the repo; others are refused as people there are not', async () => {
    await givenOrg(world, 'acme', ada)
    const secret = await givenRepo(world, ada, { visibility: 'private' })
    const at = await givenDiscussion(world, ada, secret)
    const refused = (username: string) =>
      updateDiscussion(world.ctx(ada), secret, at, { assignees: [username] }).then(
        () => expect.fail('was assigned'),
        ({ code, detail, errors }: { code: string; detail: string; errors: unknown }) =>
          JSON.stringify({ code, detail, errors }).replaceAll(username, 'x'),
      )
    expect(await refused('eve')).toContain('validation-failed')
    const absent = await refused('no-such-person')
    for (const name of ['eve', 'not/a name', 'acme']) expect(await refused(name)).toBe(absent)
    await setCollaborators(world.ctx(ada), secret, [{ username: 'eve', role: 'read' }])
    const set = (assignees: string[]) => updateDiscussion(world.ctx(ada), secret, at, { assignees })
    await set(['eve'])
    await setCollaborators(world.ctx(ada), secret, [])
    await set(['eve', 'ada'])
    await set(['ada'])
    await expect(set(['ada', 'eve'])).rejects.toMatchObject({ code: 'validation-failed' })
    expect((await listNotifications(world.ctx(eve), { limit: 50 })).items).not.toContainEqual(
      expect.objectContaining({ repo: expect.objectContaining({ name: secret.name }) as unknown }),
    )
  })

  test('are limited for each discussion', async () => {
    const names = Array.from({ length: limits.assignees + 1 }, (_, n) => `helper-${n}`)
    for (const name of names) await givenUser(world, name)
    await expect(assign(ada, names)).rejects.toMatchObject({ code: 'validation-failed' })
    await assign(ada, names.slice(1))
    expect(await assigned()).toHaveLength(limits.assignees)
  })

  test('set at the same time are those of one change', async () => {
    await Promise.all([['bob'], ['eve'], ['ada'], ['bob', 'eve']].map((names) => assign(ada, names)))
    expect([['bob'], ['eve'], ['ada'], ['bob', 'eve']]).toContainEqual(await assigned())
  })

  test('find discussions, page by page, with other filters', async () => {
    const nums = []
    for (let n = 0; n < 5; n++) nums.push(await givenDiscussion(world, bob, repo))
    for (const at of nums) await assign(ada, at === nums[2] ? ['ada'] : ['eve', 'ada'], at)
    const query = { assignee: 'EVE', status: 'open', limit: 3 } as const
    const first = await listDiscussions(world.ctx(bob), repo, query)
    expect(first.discussions.map((each) => each.num)).toEqual([nums[4], nums[3], nums[1]])
    const second = await listDiscussions(world.ctx(bob), repo, { ...query, before: first.next })
    expect(second.discussions.map((each) => each.num)).toEqual([nums[0]])
    expect(second.next).toBeUndefined()
    const none = await listDiscussions(world.ctx(bob), repo, { assignee: 'gone-person', limit: 3 })
    expect(none.discussions).toEqual([])
  })

  test('whose account is gone are not shown, and their rows go with the next change', async () => {
    const leaving = await givenUser(world, 'leaving')
    await assign(ada, ['leaving', 'bob'])
    const { q, t } = world.db
    await world.db.write(async (tx) => {
      await tx.q.delete(tx.t.users).where(eq(tx.t.users.id, leaving.id))
      await tx.q.delete(tx.t.namespaces).where(eq(tx.t.namespaces.id, leaving.id))
    })
    expect(await assigned()).toEqual(['bob'])
    const found = await listDiscussions(world.ctx(ada), repo, { assignee: 'leaving', limit: 3 })
    expect(found.discussions).toEqual([])
    await comment(world.ctx(ada), repo, num, 'More')
    await assign(ada, ['bob', 'eve'])
    const { discussion } = await read()
    const rows = await q
      .select()
      .from(t.discussion_assignees)
      .where(eq(t.discussion_assignees.discussion_id, discussion.id))
    expect(rows).toHaveLength(2)
  })
})
