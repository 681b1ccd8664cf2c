import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { codeOf } from '../../core/lfs/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import type { Misbehaviour } from '../mirrors/testing/hub.ts'
import { givenHub, siteOf } from '../mirrors/testing/site.ts'
import { saveUpstreamToken } from '../upstreams/tokens.ts'
import { lookerAt } from './ask.ts'
import { configsOf } from './configs.ts'
import { getDiscovered } from './detail.ts'
import { nextPath } from '../upstreams/index.ts'
import { listDiscovered } from './list.ts'

eachDatabase('discover', (world) => {
  const hub = givenHub(world)
  let person: UserActor
  const site = siteOf(world, hub)
  const query = { upstream: 'hub', sort: 'trending', limit: 2 } as const
  const entry = (id: string) => ({
    id,
    likes: 3,
    downloads: 7,
    tags: ['license:mit', 'gguf'],
    lastModified: '2026-01-02T03:04:05.000Z',
    more: [1],
  })
  /** Answers lists, two repos a page. */
  const lists: Misbehaviour = ({ url = '' }, response) => {
    if (!url.startsWith('/api/models?')) return false
    const isSecond = url.includes('cursor=two')
    const link = isSecond ? {} : { Link: `<${hub.url}/api/models?cursor=two&limit=2>; rel="next"` }
    const page = isSecond ? [entry('acme/c')] : [entry('acme/a'), entry('single'), entry('acme/b')]
    response.writeHead(200, { 'Content-Type': 'application/json', ...link }).end(JSON.stringify(page))
    return true
  }
  const detail = (name: string, actor = person) =>
    getDiscovered(site.ctx(actor), { upstream: 'hub', type: 'model', name, revision: 'main' })

  beforeAll(async () => {
    person = await givenUser(world, 'looker')
  })

  test('lists what an upstream has, page by page, and how each repo stands here', async () => {
    await hub.commit('acme/a', { 'README.md': 'x' }, { large: { 'a.bin': randomBytes(1000) } })
    await hub.commit('acme/b', { 'README.md': 'x' }, { large: { 'b.bin': randomBytes(1000) } })
    await site.pulled(site.ctx(person), site.wish('acme/a'))
    await site.pulled(site.ctx(person), site.wish('acme/b', { selection: {} }))
    hub.misbehave = lists
    const first = await listDiscovered(
      site.ctx(person),
      'model',
      { ...query, search: 'a b', filter: ['gguf', 'mit'] },
      undefined,
    )
    expect(
      first.items.map(({ name, arsenal, licence, downloads }) => [name, arsenal.state, licence, downloads]),
    ).toEqual([
      ['a', 'mirrored', 'mit', 7],
      ['b', 'partial', 'mit', 7],
    ])
    const asked = new URL(hub.asked.at(-1)?.url ?? '', hub.url).searchParams
    expect(asked.getAll('filter')).toEqual(['gguf', 'mit'])
    expect(Object.fromEntries(asked)).toMatchObject({
      search: 'a b',
      sort: 'trendingScore',
      full: 'true',
      limit: '2',
    })
    const second = await listDiscovered(site.ctx(person), 'model', query, first.next)
    expect(second.items.map(({ name, arsenal }) => [name, arsenal])).toEqual([['c', { state: 'absent' }]])
    expect(second.next).toBeUndefined()
  })

  test('the next page is asked of that upstream alone', () => {
    const next = (target: string) => nextPath(`<${target}>; rel="next"`, 'https://hub.example/base')
    expect(next('https://hub.example/base/api/models?cursor=x')).toBe('/api/models?cursor=x')
    expect(next('/base/api/models?cursor=x')).toBe('/api/models?cursor=x')
    for (const other of [
      'https://evil.example/base/api/models',
      'http://hub.example/base/api/models',
      'https://hub.example/admin',
    ])
      expect(next(other)).toBeUndefined()
  })

  test('a look is kept for those with the same token alone', async () => {
    hub.misbehave = (request, response) => {
      if (request.url !== '/api/whoami-v2') return lists(request, response)
      response.writeHead(200).end('{"name":"ann"}')
      return true
    }
    const asks = async (actor: UserActor) => {
      const before = hub.asked.length
      await listDiscovered(site.ctx(actor), 'model', { ...query, author: 'acme' }, undefined)
      return hub.asked.length - before
    }
    expect(await asks(person)).toBe(1)
    expect(await asks(person)).toBe(0)
    const other = await givenUser(world, 'other-looker')
    expect(await asks(other)).toBe(0)
    await saveUpstreamToken(site.ctx(other), 'hub', 'good')
    expect(await asks(other)).toBe(1)
    expect(await asks(person)).toBe(0)
  })

  test('shows a repo with its files, quants, dependencies and what is here of them', async () => {
    await hub.commit(
      'acme/detail',
      {
        'README.md': '---\nlicense: mit\nbase_model: acme/base\n---\n# Title\n',
        'config.json': JSON.stringify({ auto_map: { AutoModel: 'acme/code--m.Model' } }),
      },
      { large: { 'm-Q4_K_M.gguf': randomBytes(5000), 'm-Q8_0.gguf': randomBytes(9000) } },
    )
    await hub.commit('acme/base', { 'README.md': 'x' })
    await site.pulled(site.ctx(person), site.wish('acme/base'))
    await site.pulled(site.ctx(person), site.wish('acme/detail', { selection: { quants: ['Q4_K_M'] } }))
    const found = await detail('acme/detail')
    expect(found.quants.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['Q8_0', 9000],
      ['Q4_K_M', 5000],
    ])
    expect(Object.fromEntries(found.files.map(({ path, presence }) => [path, presence]))).toEqual({
      'README.md': 'present',
      'config.json': 'present',
      'm-Q4_K_M.gguf': 'present',
      'm-Q8_0.gguf': 'missing',
    })
    expect(
      found.dependencies.map(({ kind, target, arsenal }) => [kind, target, arsenal.state]).toSorted(),
    ).toEqual([
      ['base_model', 'acme/base', 'mirrored'],
      ['code', 'acme/code', 'absent'],
    ])
    expect(found.card).toContain('# Title')
    expect(found).toMatchObject({ isReadable: true, warnings: [], arsenal: { state: 'partial' } })
  })

  test('says what a repo takes, and what the disk and the quota of its place have left', async () => {
    await hub.commit('sized/one', { 'README.md': 'x'.repeat(100) }, { large: { 'a.bin': randomBytes(3000) } })
    await hub.commit('sized/two', { 'README.md': 'y' }, { large: { 'b.bin': randomBytes(5000) } })
    const ctx = site.ctx(person)
    const blobs = new Proxy(ctx.blobs, {
      get(store, name) {
        if (name === 'freeSpace') return () => Promise.resolve({ freeBytes: 123_456, totalBytes: 10 ** 9 })
        const member: unknown = Reflect.get(store, name)
        return typeof member === 'function' ? (member.bind(store) as unknown) : member
      },
    })
    const figures = async (name: string) => {
      const wish = { upstream: 'hub', type: 'model', name, revision: 'main' } as const
      const { sizeBytes, freeBytes, quotaLeft } = await getDiscovered({ ...ctx, blobs }, wish)
      return { sizeBytes, freeBytes, quotaLeft }
    }
    const one = { sizeBytes: 3100, freeBytes: 123_456, quotaLeft: undefined }
    expect(await figures('sized/one')).toEqual(one)
    await site.pulled(ctx, site.wish('sized/one'))
    await world.db.write(({ q, t: { namespaces: n } }) =>
      q.update(n).set({ quota_bytes: 1_000_000 }).where(eq(n.name_key, 'sized')),
    )
    const { quotaLeft = 0, ...two } = await figures('sized/two')
    expect(two).toEqual({ sizeBytes: 5001, freeBytes: 123_456 })
    expect(quotaLeft).toBeLessThanOrEqual(1_000_000 - 3000)
    expect(quotaLeft).toBeGreaterThan(990_000)
  })

  test('a repo of the same name that is no mirror is a namesake, for those who see it', async () => {
    await hub.commit('looker/mine', { 'README.md': 'x' })
    await givenRepo(world, person, { name: 'mine', visibility: 'private' })
    expect((await detail('looker/mine')).arsenal.state).toBe('local_namesake')
    const other = await givenUser(world, 'blind-looker')
    expect((await detail('looker/mine', other)).arsenal).toEqual({ state: 'absent' })
  })

  test('a gated repo says that its files need a token, and how to save one', async () => {
    await hub.commit('acme/shut', { 'README.md': 'x' }, { large: { 'a.bin': randomBytes(10) } })
    hub.gated.add('acme/shut')
    const found = await detail('acme/shut')
    expect(found).toMatchObject({ isGated: true, isReadable: false })
    expect(found.warnings.join(' ')).toMatch(/Save a token/)
  })

  test('says what is wrong at the upstream', async () => {
    expect(await codeOf(detail('acme/none'))).toBe('not-found')
    hub.misbehave = (_, response) => {
      response.writeHead(200).end('<html>')
      return true
    }
    expect(
      await codeOf(listDiscovered(site.ctx(person), 'model', { ...query, search: 'html' }, undefined)),
    ).toBe('upstream-unavailable')
    hub.misbehave = (_, response) => {
      response.writeHead(429, { 'Retry-After': '7' }).end()
      return true
    }
    await expect(
      listDiscovered(site.ctx(person), 'model', { ...query, search: 'busy' }, undefined),
    ).rejects.toMatchObject({
      code: 'upstream-throttled',
      retryAfterS: 7,
    })
  })

  /** On a server whose upstream has a viewer at `viewerUrl`. */
  const viewing = (viewerUrl: string) => {
    const ctx = site.ctx(person)
    const { hub: near } = ctx.config.upstreams
    const upstreams = { hub: { ...(near ?? expect.fail('no upstream')), viewer_url: viewerUrl } }
    return { ...ctx, config: { ...ctx.config, upstreams } }
  }
  const splits = [
    { config: 'en', split: 'train' },
    { config: 'en', split: 'test' },
    { config: 'fr', split: 'train' },
  ]
  const large = (path: string) => ({ path, sizeBytes: 10, sha256: '1'.repeat(64) })

  test('configs and splits are those of the upstream’s viewer, which is sent no token, else those of the card', async () => {
    const frontMatter = {
      configs: [
        { config_name: 'en', data_files: [{ split: 'train', path: 'en/*.jsonl' }] },
        { config_name: 'fr', data_files: 'fr/*.jsonl' },
      ],
    }
    const files = [large('en/a.jsonl'), large('fr/b.jsonl')]
    const asked: (string | undefined)[] = []
    hub.misbehave = ({ url = '', headers }, response) => {
      if (!url.startsWith('/splits?dataset=')) return false
      asked.push(headers.authorization)
      const isKnown = url.endsWith('acme%2Fviewed')
      response.writeHead(isKnown ? 200 : 404).end(JSON.stringify({ splits }))
      return true
    }
    const ctx = viewing(hub.url)
    const looker = { ...(await lookerAt(ctx, 'hub')), token: 'secret' }
    const configs = (name: string) => configsOf(ctx, looker, { ns: 'acme', name }, { files, frontMatter })
    expect(await configs('viewed')).toEqual([
      { name: 'en', splits: ['train', 'test'], files: ['en/a.jsonl'] },
      { name: 'fr', splits: ['train'], files: ['fr/b.jsonl'] },
    ])
    expect((await configs('unknown')).map(({ name, splits: own }) => [name, own])).toEqual([
      ['en', ['train']],
      ['fr', ['train']],
    ])
    expect(asked).toEqual([undefined, undefined])
    // Without a viewer nothing is asked.
    const plain = viewing('')
    const without = await lookerAt(plain, 'hub')
    expect(
      await configsOf(plain, without, { ns: 'acme', name: 'viewed' }, { files, frontMatter }),
    ).toHaveLength(2)
    expect(asked).toHaveLength(2)
  })

  test('an upstream that is silent for 10 s is unavailable', async () => {
    hub.misbehave = () => true
    const began = performance.now()
    await expect(
      listDiscovered(site.ctx(person), 'model', { ...query, search: 'silent' }, undefined),
    ).rejects.toMatchObject({ code: 'upstream-unavailable', status: 504 })
    expect(performance.now() - began).toBeGreaterThan(9_900)
  })
})
