import { beforeAll, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { givenCommit as givenBareCommit } from '../../../core/git/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import type { Repo } from '../../repos/index.ts'
import { add, givenCommit } from '../testing.ts'
import { listContributors } from './contributors.ts'

eachDatabase('contributors of a repo', (world) => {
  let ada: UserActor
  let bob: UserActor
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    repo = await givenRepo(world, ada, { visibility: 'public' })
  })

  test('accounts are named for what they made here, others by what git says', async () => {
    // The first commit came with the repo.
    await givenCommit(world, ada, repo, [add('a.txt')])
    await givenCommit(world, ada, repo, [add('b.txt')])
    await givenBareCommit(world, repo.id, {
      puts: { c: 'c' },
      author: { name: 'eve@x.org', email: 'ada@x.org' },
    })
    const found = await listContributors(world.ctx(bob), repo)
    expect(found.people).toMatchObject([
      { userId: ada.id, commits: 3 },
      { name: 'eve', commits: 1 },
    ])
    expect(found.people[1]).not.toHaveProperty('userId')
    expect(JSON.stringify(found)).not.toContain('@')
    const earlier = await listContributors(world.ctx(bob), repo, 'main')
    expect(earlier.commit).toBe(found.commit)
  })

  test('what is not there is refused, and a repo that is hidden is absent', async () => {
    const gated = await givenRepo(world, ada, { visibility: 'public', gated: 'manual' })
    await givenCommit(world, ada, gated, [add('a.txt')])
    const hidden = await givenRepo(world, ada, { visibility: 'private' })
    await givenCommit(world, ada, hidden, [add('a.txt')])
    const codeOf = (asked: Promise<unknown>) => asked.then(String, ({ code }) => String(code))
    const asked = (of: Repo, revision?: string) => listContributors(world.ctx(bob), of, revision)
    expect(await codeOf(asked(repo, 'gone'))).toBe('revision-not-found')
    expect(await codeOf(asked(hidden))).toBe('repo-not-found')
    expect(await codeOf(listContributors(world.ctx(anonymous), repo))).toBe('unauthenticated')
    // As the history: the files alone wait for access.
    expect(await asked(gated)).toMatchObject({ total: 1, commits: 2 })
  })
})
