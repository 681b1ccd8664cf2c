import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { createBranch } from '../refs/branches.ts'
import { add, givenCommit } from '../testing.ts'
import { compareRevisions, diffOfRevisions, getDivergence } from './compare.ts'

eachDatabase('comparisons of revisions', (world) => {
  let ada: UserActor
  let bob: UserActor
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    await givenCommit(world, ada, repo, [add('a.txt', 'one\n'), add('b.txt', 'b\n')])
    await createBranch(world.ctx(ada), repo, { name: 'dev', via: 'api' })
    await givenCommit(world, ada, repo, [add('a.txt', 'two\n')], { branch: 'dev' })
    await givenCommit(world, ada, repo, [add('c.txt', 'c\n')], { branch: 'dev' })
    await givenCommit(world, ada, repo, [add('b.txt', 'B\n')])
  })
  const between = (base: string, head: string) => ({ base, head })

  test('the files are compared as they stand, and each history has commits of its own', async () => {
    const found = await compareRevisions(world.ctx(bob), repo, between('main', 'dev'))
    expect(found.files.map(({ path, status }) => `${status} ${path}`).sort()).toEqual([
      'added c.txt',
      'modified a.txt',
      'modified b.txt',
    ])
    expect(found.divergence).toEqual({ ahead: 2, behind: 1 })
  })

  test('commits, refs and branches name revisions alike', async () => {
    const { base, head } = await getDivergence(world.ctx(bob), repo, between('main', 'dev'))
    expect(await getDivergence(world.ctx(bob), repo, between(base, 'refs/heads/dev'))).toEqual({
      base,
      head,
      divergence: { ahead: 2, behind: 1 },
    })
  })

  test('a revision has nothing that itself has not', async () => {
    const found = await compareRevisions(world.ctx(bob), repo, between('dev', 'dev'))
    expect(found).toMatchObject({ files: [], divergence: { ahead: 0, behind: 0 } })
  })

  test('a file is compared line by line', async () => {
    const { hunks } = await diffOfRevisions(world.ctx(bob), repo, between('main', 'dev'), { path: 'a.txt' })
    expect(hunks[0]?.lines).toEqual([
      { kind: 'delete', text: 'one' },
      { kind: 'add', text: 'two' },
    ])
  })

  test.each([
    ['a revision that is not there', between('main', 'gone'), 'a.txt', 'revision-not-found'],
    ['a file that does not differ', between('main', 'main'), 'a.txt', 'entry-not-found'],
  ])('%s is refused', async (_, asked, path, code) => {
    await expect(diffOfRevisions(world.ctx(bob), repo, asked, { path })).rejects.toMatchObject({ code })
  })

  test('which files of a gated repo differ is shown, and how only to those who may read them', async () => {
    await updateRepo(world.ctx(ada), repo, { gated: 'manual' })
    const asked = between('main', 'dev')
    expect((await compareRevisions(world.ctx(bob), repo, asked)).files).toHaveLength(3)
    await expect(diffOfRevisions(world.ctx(bob), repo, asked, { path: 'a.txt' })).rejects.toMatchObject({
      code: 'gated',
    })
  })
})
