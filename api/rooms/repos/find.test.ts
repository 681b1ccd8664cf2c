import { expect, test } from 'vitest'
import { anonymous } from '../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../testing.ts'
import {
  deleteRepo,
  findRepo,
  movedLocation,
  renameRepo,
  RepoMoved,
  requireRepo,
  transferRepo,
  updateRepo,
} from './index.ts'

const moved = (to: { ns: string; name: string }) => expect.objectContaining({ to: { type: 'model', ...to } })

eachDatabase('finding a repo', (world) => {
  const at = (ns: string, name: string) => ({ type: 'model' as const, ns, name })

  test('a private repo answers strangers as an absent one', async () => {
    const ada = await givenUser(world, 'ada')
    const eve = await givenUser(world, 'eve')
    await givenRepo(world, ada, { name: 'secret' })
    const answers = await Promise.allSettled(
      ['secret', 'absent', 'SECRET', 'no..name', 'nul\0'].map((name) =>
        requireRepo(world.ctx(eve), at('ada', name), 'repo.read'),
      ),
    )
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'repo-not-found' } })
    await expect(requireRepo(world.ctx(anonymous), at('ada', 'secret'), 'repo.read')).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await requireRepo(world.ctx(ada), at('ada', 'secret'), 'repo.settings')).toMatchObject({
      name: 'secret',
    })
  })

  test('an old address leads on, for those alone who may see the repo', async () => {
    const [bob, eve] = [await givenUser(world, 'bob'), await givenUser(world, 'eve2')]
    await givenRepo(world, bob, { name: 'one' })
    await givenOrg(world, 'lab', bob)
    await renameRepo(world.ctx(bob), at('bob', 'one'), 'two')
    await transferRepo(world.ctx(bob), at('bob', 'two'), 'lab')
    const ask = (user: typeof bob, name: string) =>
      requireRepo(world.ctx(user), at('bob', name), 'repo.commit')
    await expect(ask(bob, 'one')).rejects.toEqual(moved({ ns: 'lab', name: 'two' }))
    await expect(ask(bob, 'TWO')).rejects.toEqual(moved({ ns: 'lab', name: 'two' }))
    await expect(ask(eve, 'one')).rejects.toMatchObject({ code: 'repo-not-found' })
    await deleteRepo(world.ctx(bob), at('lab', 'two'))
    await expect(ask(eve, 'one')).rejects.toMatchObject({ code: 'repo-not-found' })
  })

  test('another spelling leads to the one it was created with', async () => {
    const cid = await givenUser(world, 'Cid')
    await givenRepo(world, cid, { name: 'Model' })
    await expect(requireRepo(world.ctx(cid), at('cid', 'mOdel'), 'repo.read')).rejects.toEqual(
      moved({ ns: 'Cid', name: 'Model' }),
    )
  })

  test('a deleted repo is there for its admins alone, and only to look at and restore', async () => {
    const [dan, fay] = [await givenUser(world, 'dan'), await givenUser(world, 'fay')]
    await givenOrg(world, 'team', dan, [[fay, 'write']])
    await givenRepo(world, dan, { ns: 'team', name: 'gone' })
    await deleteRepo(world.ctx(dan), at('team', 'gone'))
    expect(await requireRepo(world.ctx(dan), at('team', 'gone'), 'repo.get')).toMatchObject({
      isDeleted: true,
    })
    await expect(requireRepo(world.ctx(dan), at('team', 'gone'), 'repo.commit')).rejects.toMatchObject({
      code: 'repo-not-found',
    })
    await expect(requireRepo(world.ctx(fay), at('team', 'gone'), 'repo.get')).rejects.toMatchObject({
      code: 'repo-not-found',
    })
  })

  test('a fenced token sees nothing outside its fence', async () => {
    const gus = await givenUser(world, 'gus')
    await givenRepo(world, gus, { name: 'in' })
    await givenRepo(world, gus, { name: 'out' })
    const { actor } = await givenToken(world, gus, { fence: { repos: [at('gus', 'in')] } })
    expect(await requireRepo(world.ctx(actor), at('gus', 'in'), 'repo.commit')).toMatchObject({ name: 'in' })
    await expect(requireRepo(world.ctx(actor), at('gus', 'out'), 'repo.read')).rejects.toMatchObject({
      code: 'repo-not-found',
    })
  })

  test('a second look asks no database, and sees the next change', async () => {
    const hal = await givenUser(world, 'hal')
    await givenRepo(world, hal, { name: 'warm' })
    const ctx = world.ctx(hal)
    await findRepo(ctx, at('hal', 'warm'))
    if (world.db.engine === 'sqlite') expect(findRepo(ctx, at('hal', 'warm'))).not.toBeInstanceOf(Promise)
    await updateRepo(ctx, at('hal', 'warm'), { visibility: 'public' })
    expect(await findRepo(ctx, at('hal', 'warm'))).toMatchObject({ live: { visibility: 'public' } })
  })
})

test.each([
  [
    '/api/service/v1/repos/models/a/old/tree/refs%2Fpr%2F1/a%2Fold?x=a%2Fold',
    '/api/service/v1/repos/models/b/new/tree/refs%2Fpr%2F1/a%2Fold?x=a%2Fold',
  ],
  ['/a/old/resolve/main/a/old', '/b/new/resolve/main/a/old'],
  ['/datasets/a/old', '/datasets/b/new'],
  ['/api/models/a/old/revision/main', '/api/models/b/new/revision/main'],
  ['/a/old.git/info/refs?service=git-upload-pack', '/b/new.git/info/refs?service=git-upload-pack'],
  ['/api/repos/move', undefined],
])('%s is asked for again at %s', (url, location) => {
  const error = new RepoMoved(
    { type: 'model', ns: 'a', name: 'old' },
    { type: 'model', ns: 'b', name: 'new' },
  )
  expect(movedLocation(`http://localhost${url}`, error)).toBe(location)
})

test('words of the native prefix may be the names of a repo', () => {
  const error = new RepoMoved(
    { type: 'model', ns: 'service', name: 'v1' },
    { type: 'model', ns: 'b', name: 'c' },
  )
  expect(movedLocation('/api/service/v1/repos/models/service/v1', error)).toBe(
    '/api/service/v1/repos/models/b/c',
  )
})
