import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import type { Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { hideComment } from '../edit-comment.ts'
import { givenDiscussion } from '../testing.ts'
import { react } from './react.ts'

eachDatabase('reactions', (world) => {
  let ada: UserActor
  let bob: UserActor
  let repo: Repo
  let num: number
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    num = await givenDiscussion(world, ada, repo)
  })
  const said = async () => (await comment(world.ctx(ada), repo, num, 'Look.')).id

  test('each person counts once for each reaction, and can take theirs back', async () => {
    const at = { num, id: await said() }
    await react(world.ctx(bob), repo, { ...at, reaction: 'heart' }, true)
    await react(world.ctx(bob), repo, { ...at, reaction: 'heart' }, true)
    await react(world.ctx(bob), repo, { ...at, reaction: 'eyes' }, true)
    expect(await react(world.ctx(ada), repo, { ...at, reaction: 'heart' }, true)).toMatchObject([
      { reaction: expect.any(String), count: expect.any(Number) },
      { reaction: expect.any(String) },
    ])
    const left = await react(world.ctx(bob), repo, { ...at, reaction: 'heart' }, false)
    expect(left).toHaveLength(2)
    expect(left).toContainEqual({ reaction: 'heart', count: 1, isMine: false })
    expect(left).toContainEqual({ reaction: 'eyes', count: 1, isMine: true })
    await react(world.ctx(bob), repo, { ...at, reaction: 'eyes' }, false)
    await react(world.ctx(ada), repo, { ...at, reaction: 'heart' }, false)
    expect(await react(world.ctx(ada), repo, { ...at, reaction: 'heart' }, false)).toEqual([])
  })

  test('a hidden comment takes none, and a comment of another thread is not found', async () => {
    const id = await said()
    const other = await givenDiscussion(world, ada, repo)
    await expect(
      react(world.ctx(bob), repo, { num: other, id, reaction: 'heart' }, true),
    ).rejects.toMatchObject({ code: 'not-found' })
    await hideComment(world.ctx(ada), repo, { num, id })
    await expect(react(world.ctx(bob), repo, { num, id, reaction: 'heart' }, true)).rejects.toMatchObject({
      code: 'state-conflict',
    })
  })
})
