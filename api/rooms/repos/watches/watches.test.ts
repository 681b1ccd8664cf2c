import { beforeAll, expect, test } from 'vitest'
import { anonymous, type UserActor } from '../../../core/access/index.ts'
import { codeOf } from '../../../core/lfs/testing.ts'
import { newId } from '../../../stores/db/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { deleteRepo, updateRepo, type Repo } from '../index.ts'
import { listWatchedRepos, type WatchPosition } from './list.ts'
import { getWatch, maxWatched, unwatchRepo, watchRepo } from './watch.ts'

eachDatabase('watched repos', (world) => {
  let ada: UserActor
  let made = 0
  const fresh = () => givenUser(world, `watcher-${++made}`)
  const given = (visibility: 'public' | 'private' = 'public') => givenRepo(world, ada, { visibility })
  const watched = async (actor: UserActor) =>
    (await listWatchedRepos(world.ctx(actor), { limit: 50 })).items.map(({ id, level }) => [id, level])
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
  })

  test('have one level for each person, until they are watched no more', async () => {
    const [one, repo] = [await fresh(), await given()]
    const ctx = world.ctx(one)
    expect(await getWatch(ctx, repo)).toBeUndefined()
    await watchRepo(ctx, repo, 'all')
    await watchRepo(ctx, repo, 'ignore')
    expect(await getWatch(ctx, repo)).toBe('ignore')
    expect(await watched(one)).toEqual([[repo.id, 'ignore']])
    expect(await getWatch(world.ctx(ada), repo)).toBeUndefined()
    await unwatchRepo(ctx, repo)
    await unwatchRepo(ctx, repo)
    expect(await getWatch(ctx, repo)).toBeUndefined()
    expect(await watched(one)).toEqual([])
  })

  test('are those that the person may see; a hidden one answers as an absent one', async () => {
    const [one, repo, secret] = [await fresh(), await given(), await given('private')]
    const ctx = world.ctx(one)
    await watchRepo(ctx, repo, 'all')
    await updateRepo(world.ctx(ada), repo, { visibility: 'private' })
    expect(await watched(one)).toEqual([])
    const absent = { type: 'model' as const, ns: 'ada', name: 'no-such' }
    for (const address of [repo, secret, absent]) {
      expect(await codeOf(getWatch(ctx, address))).toBe('repo-not-found')
      expect(await codeOf(watchRepo(ctx, address, 'all'))).toBe('repo-not-found')
      expect(await codeOf(unwatchRepo(ctx, address))).toBe('repo-not-found')
    }
    await updateRepo(world.ctx(ada), repo, { visibility: 'public' })
    expect(await watched(one)).toEqual([[repo.id, 'all']])
    await deleteRepo(world.ctx(ada), repo)
    expect(await watched(one)).toEqual([])
  })

  test('come by pages, the latest first, also where they were chosen at one time', async () => {
    const one = await fresh()
    const repos: Repo[] = []
    for (let i = 0; i < 5; i++) {
      const repo = await given()
      await watchRepo(world.ctx(one), repo, 'discussions')
      repos.push(repo)
    }
    const seen: string[] = []
    let after: WatchPosition | undefined
    do {
      const { items, next } = await listWatchedRepos(world.ctx(one), { after, limit: 2 })
      seen.push(...items.map(({ id }) => id))
      after = next
    } while (after)
    expect(seen).toEqual(repos.map(({ id }) => id).toReversed())
  })

  test('need an account and the scope, and end at a thousand', async () => {
    const [one, repo, last] = [await fresh(), await given(), await given()]
    expect(await codeOf(getWatch(world.ctx(anonymous), repo))).toBe('unauthenticated')
    expect(await codeOf(watchRepo(world.ctx(anonymous), repo, 'all'))).toBe('unauthenticated')
    const { actor } = await givenToken(world, one, { scopes: ['read'] })
    expect(await codeOf(watchRepo(world.ctx(actor), repo, 'all'))).toBe('insufficient-scope')
    expect(await getWatch(world.ctx(actor), repo)).toBeUndefined()

    const { repos, repo_watches: w } = world.db.t
    const [row] = await world.db.q.select().from(repos).limit(1)
    if (!row) throw new Error('there is no repo')
    const ids = Array.from({ length: maxWatched - 1 }, newId)
    await world.db.write(async ({ q }) => {
      for (const id of ids) {
        await q.insert(repos).values({ ...row, id, name: id, name_key: id, full_key: id, address_key: null })
        await q.insert(w).values({ repo_id: id, user_id: one.id, level: 'all', created_at: world.clock.now })
      }
    })
    await watchRepo(world.ctx(one), repo, 'all')
    await watchRepo(world.ctx(one), repo, 'ignore')
    expect(await codeOf(watchRepo(world.ctx(one), last, 'all'))).toBe('state-conflict')
    expect(await getWatch(world.ctx(one), last)).toBeUndefined()
  })
})
