import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { anonymous, type Actor } from '../../../core/access/index.ts'
import { add, givenCommit } from '../../content/testing.ts'
import type { Db } from '../../../stores/db/index.ts'
import { mountHub } from '../../../surfaces/hub/handlers.ts'
import {
  appOf,
  dbWith,
  eachDatabase,
  givenRepo,
  givenToken,
  givenUser,
  type World,
} from '../../../testing.ts'
import { countFetch, flushDownloads, type Fetched } from './downloads.ts'
import { likeRepo } from '../people/like.ts'
import type { Repo } from '../queries.ts'
import { isQueryFile } from '../list/query-files.ts'
import { downloadSums } from './recount.ts'
import { getStats } from './stats.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const config = { of: { path: 'config.json' }, bytes: 10 }

function given(world: World) {
  const later = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))
  const fetch = (repo: Repo, fetched: Fetched = config, actor: Actor = anonymous, ip = '10.0.0.1') => {
    const ctx = world.ctx(actor)
    countFetch({ ...ctx, origin: { ...ctx.origin, ip } }, repo, fetched)
  }
  const row = async ({ id }: Repo) => {
    await flushDownloads(world.deps)
    const { repos } = world.db.t
    const [found] = await world.db.q.select().from(repos).where(eq(repos.id, id))
    return found && [found.downloads_30d, found.downloads_total, found.trending]
  }
  const recount = (dryRun = false) =>
    downloadSums.run(world.ctx(), {
      dryRun,
      signal: new AbortController().signal,
      write: (change) => world.db.write(change),
    })
  return { later, fetch, row, recount }
}

/** Another process over the same database, which may be out of its reach. */
function beside(world: World, isDown = () => false) {
  const write: Db['write'] = (change) =>
    isDown() ? Promise.reject(new Error('down')) : world.db.write(change)
  return { ...world.ctx(), db: dbWith(world.db, { write }) }
}

eachDatabase('downloads', (world) => {
  const { later, fetch, row, recount } = given(world)

  test('a client is counted once in five minutes, every byte each time', async () => {
    const owner = await givenUser(world, 'owner')
    const repo = await givenRepo(world, owner, { visibility: 'public' })
    fetch(repo)
    fetch(repo, { of: { path: 'model.safetensors' }, bytes: 1000 })
    fetch(repo, { of: { path: 'model.safetensors' }, bytes: 500, offset: 500 })
    fetch(repo, config, anonymous, '10.0.0.2')
    fetch(repo, config, owner)
    fetch(repo, { of: 'everything', bytes: 3 }, owner, '10.0.0.9')
    later(5 * minuteMs - 1)
    fetch(repo)
    expect(await row(repo)).toEqual([3, 3, 3])
    later(1)
    fetch(repo)
    expect(await row(repo)).toEqual([4, 4, 4])
    const { days, ...sums } = await getStats(world.ctx(), repo, 2)
    expect(sums).toEqual({ downloads30d: 4, downloadsTotal: 4 })
    expect(days).toMatchObject([
      { date: '2026-02-28', downloads: 0, bytes: 0 },
      { date: '2026-03-01', downloads: 4, bytes: 1553 },
    ])
  })

  test('a file read over HTTP counts; a HEAD, a look in the browser and what is unchanged do not', async () => {
    const owner = await givenUser(world, 'reader')
    const repo = await givenRepo(world, owner, { visibility: 'public' })
    await givenCommit(world, owner, repo, [add('config.json', '0123456789')])
    const app = appOf(world, { root: [mountHub] })
    const { secret } = await givenToken(world, await givenUser(world, 'client'))
    const session = { Cookie: `service_session=${owner.secret}` }
    const token = { Authorization: `Bearer ${secret}` }
    const get = async (headers: Record<string, string>, method = 'GET', query = '') => {
      const path = `/reader/${repo.name}/resolve/main/config.json${query}`
      const answer = await app.request(path, { method, headers })
      expect([200, 206, 304]).toContain(answer.status)
      await answer.text()
      return answer.headers.get('ETag') ?? ''
    }
    const etag = await get(token, 'HEAD')
    await get({ ...token, 'If-None-Match': etag })
    expect(await row(repo)).toEqual([0, 0, 0])
    await get(session)
    await get({ ...token, Range: 'bytes=5-6' })
    expect(await row(repo)).toEqual([0, 0, 0])
    await get({ ...token, Range: 'bytes=0-2' })
    await get(token)
    await get(session, 'GET', '?download=true')
    expect(await row(repo)).toEqual([2, 2, 2])
    expect((await getStats(world.ctx(owner), repo, 1)).days).toMatchObject([{ bytes: 35 }])
  })

  test('looks, descriptions and resumed downloads are none, and give their bytes', async () => {
    const repo = await givenRepo(world, await givenUser(world, 'looker'))
    fetch(repo, { of: 'nothing', bytes: 1 })
    fetch(repo, { of: { path: 'README.md' }, bytes: 1 })
    fetch(repo, { of: { path: 'config.json' }, bytes: 1, offset: 7 })
    expect(await row(repo)).toEqual([0, 0, 0])
    expect((await getStats(world.ctx(), repo, 1)).days).toMatchObject([{ downloads: 0, bytes: 3 }])
  })

  test('days leave the sums, which likes weigh ten times as much in', async () => {
    const owner = await givenUser(world, 'grower')
    const repo = await givenRepo(world, owner)
    await likeRepo(world.ctx(owner), repo, true)
    fetch(repo)
    later(6 * dayMs)
    fetch(repo)
    expect(await row(repo)).toEqual([2, 2, 12])
    expect(await recount()).toEqual({ renewed: 0 })
    later(dayMs)
    expect(await recount(true)).toEqual({ renewed: expect.any(Number) })
    expect(await row(repo)).toEqual([2, 2, 12])
    await recount()
    expect(await row(repo)).toEqual([2, 2, 11])
    later(23 * dayMs)
    await recount()
    expect(await row(repo)).toEqual([1, 2, 10])
    await likeRepo(world.ctx(owner), repo, false)
    expect(await row(repo)).toEqual([1, 2, 0])
    expect(await recount()).toEqual({ renewed: 0 })
  })

  test('processes that write at once add up, and a repo that is gone takes nothing with it', async () => {
    const owner = await givenUser(world, 'many')
    const repos = [await givenRepo(world, owner), await givenRepo(world, owner)]
    const gone = { ...(await givenRepo(world, owner)), id: '019cffff-0000-7000-8000-000000000000' }
    const others = [beside(world), beside(world)]
    for (const ctx of others) for (const repo of [...repos, gone]) countFetch(ctx, repo, config)
    await Promise.all(others.map((ctx) => flushDownloads(ctx)))
    for (const repo of repos) expect(await row(repo)).toEqual([2, 2, 2])
  })

  test('what could not be written is written the next time', async () => {
    const repo = await givenRepo(world, await givenUser(world, 'unlucky'))
    let isDown = true
    const deps = beside(world, () => isDown)
    countFetch(deps, repo, config)
    await flushDownloads(deps)
    isDown = false
    countFetch(deps, repo, { of: 'nothing', bytes: 5 })
    await flushDownloads(deps)
    expect(await row(repo)).toEqual([1, 1, 1])
    expect((await getStats(world.ctx(), repo, 1)).days).toMatchObject([{ bytes: 15 }])
  })
})

test.each([
  ['model', 'config.json', true],
  ['model', 'unet/config.json', true],
  ['model', 'Q4_K_M.gguf', true],
  ['model', 'model-00001-of-00003.safetensors', true],
  ['model', 'model-00002-of-00003.safetensors', false],
  ['model', 'README.md', false],
  ['model', 'tokenizer.json', false],
  ['dataset', 'data/train.parquet', true],
  ['dataset', 'README.md', false],
  ['dataset', '.gitattributes', false],
] as const)('whether a %s is downloaded by %s: %s', (type, path, is) => {
  expect(isQueryFile(type, path)).toBe(is)
})
