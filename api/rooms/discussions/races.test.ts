import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { mergeInto } from '../content/index.ts'
import { add, givenCommit, pathsOf } from '../content/testing.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Repo } from '../repos/index.ts'
import { before, eachDatabase, givenRepo, givenUser, hold } from '../../testing.ts'
import { commitAnywhere } from './commit.ts'
import { patchOfPullRequest } from './diff.ts'
import { mergePullRequest } from './merge.ts'
import { requirePullRequest } from './require.ts'
import { givenPullRequest, givenTexts, typesOf } from './testing.ts'
import { updateDiscussion } from './update.ts'

eachDatabase('a pull request between two looks', (world) => {
  let owner: UserActor
  let reader: UserActor
  let repo: Repo
  let num = 0
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
    reader = await givenUser(world, 'bob')
  })
  beforeEach(async () => {
    repo = await givenRepo(world, owner, { visibility: 'public' })
    num = await givenPullRequest(world, reader, repo, { 'new.txt': 'new' })
  })
  const conflict = { code: 'state-conflict' }
  const headOf = async (ref = 'refs/heads/main') =>
    (await world.deps.git.openFresh(repo.id)).findRef(ref)?.commit ?? ''
  const pullOf = async () => requirePullRequest(world.db, repo, num)
  const merge = (ctx: Ctx) => mergePullRequest(ctx, repo, num)
  /** Everything was looked at, and the new objects are about to be stored. */
  const beforePack = before('put', { key: /^git\// })
  const merging = () => hold(world.ctx(owner), beforePack, merge)

  test('that is closed while it is merged is not merged', async () => {
    const head = await headOf()
    const held = await merging()
    await updateDiscussion(world.ctx(reader), repo, num, { status: 'closed' })
    await expect(held.resume()).rejects.toMatchObject(conflict)
    expect(await headOf()).toBe(head)
    const { status, pull } = await pullOf()
    expect([status, pull.merged]).toEqual(['closed', undefined])
  })

  test('that another merges meanwhile is merged once', async () => {
    const held = await merging()
    await merge(world.ctx(owner))
    const head = await headOf()
    await expect(held.resume()).rejects.toMatchObject(conflict)
    expect(await headOf()).toBe(head)
    expect((await typesOf(world, owner, repo, num)).filter((type) => type === 'merge')).toHaveLength(1)
  })

  test('that is committed to while it is merged is to be looked at again', async () => {
    const head = await headOf()
    const held = await merging()
    await givenTexts(world, reader, repo, `refs/pr/${num}`, { 'more.txt': 'more' })
    await expect(held.resume()).rejects.toMatchObject({
      ...conflict,
      detail: expect.stringContaining('committed to it') as string,
    })
    expect(await headOf()).toBe(head)
    await merge(world.ctx(owner))
    expect(await pathsOf(world, reader, repo)).toEqual(expect.arrayContaining(['new.txt', 'more.txt']))
    expect((await pullOf()).pull.merged?.head).toBe(await headOf(`refs/pr/${num}`))
  })

  test('that is merged while it is committed to takes the commit no more', async () => {
    const held = await hold(world.ctx(reader), beforePack, (ctx) =>
      commitAnywhere(ctx, repo, {
        title: 'More of it',
        via: 'api',
        branch: `refs/pr/${num}`,
        operations: [add('more.txt')],
      }),
    )
    await merge(world.ctx(owner))
    await expect(held.resume()).rejects.toMatchObject(conflict)
    expect(await headOf(`refs/pr/${num}`)).toBe((await pullOf()).pull.merged?.head)
    expect(await pathsOf(world, reader, repo)).not.toContain('more.txt')
  })

  test('whose base moves while it is merged is merged into what that has become', async () => {
    const held = await merging()
    const { commit } = await givenCommit(world, owner, repo, [add('meanwhile.txt')])
    await held.resume()
    expect(await pathsOf(world, reader, repo)).toEqual(expect.arrayContaining(['new.txt', 'meanwhile.txt']))
    const snapshot = await world.deps.git.openFresh(repo.id)
    expect((await snapshot.findCommit(await headOf()))?.parents).toEqual([commit])
  })

  test('keeps where it last met its base, which it was not opened on, and leaves a row in the audit', async () => {
    const { commit: met } = await givenCommit(world, owner, repo, [add('meanwhile.txt')])
    const author = { name: 'bob', email: 'bob@example.org', at: world.clock.now, tzMinutes: 0 }
    await mergeInto(world.ctx(reader), repo, {
      ref: `refs/pr/${num}`,
      head: met,
      isSquash: false,
      message: 'Take main in',
      author,
      authorId: reader.id,
      alongside: async () => undefined,
    })
    await merge(world.ctx(owner))
    const { pull } = await pullOf()
    expect(pull.openedOn).not.toBe(met)
    expect(pull.merged).toMatchObject({ base: met, commit: await headOf() })
    const patch = await patchOfPullRequest(world.ctx(reader), repo, pull)
    expect([patch?.includes('new.txt'), patch?.includes('meanwhile.txt')]).toEqual([true, false])
    const { audit } = world.db.t
    const isIt = and(eq(audit.action, 'pull_request.merge'), eq(audit.target_id, (await pullOf()).id))
    const rows = await world.db.q.select().from(audit).where(isIt)
    expect(rows).toMatchObject([
      { actor_id: owner.id, outcome: 'ok', after: { commit: await headOf(), base: 'refs/heads/main' } },
    ])
  })
})
