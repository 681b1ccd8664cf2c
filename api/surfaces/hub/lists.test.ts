import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { addHead } from '../../rooms/repos/index.ts'
import { changeMark } from '../../stores/db/index.ts'
import { eachDatabase, givenRepo, givenUser, setFacts, type GivenFacts } from '../../testing.ts'
import { hubOver, type HubClient } from './testing.ts'

type Line = Record<string, unknown> & { id: string }

const card = `---
license: mit
library_name: transformers
pipeline_tag: text-generation
language: [en, no]
tags: [tiny]
datasets: [ada/words]
base_model: ada/base
---
`

eachDatabase('lists of the hub surface', (world) => {
  let ada: UserActor
  let mine: HubClient
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  const setRepo = async (name: string, repo: GivenFacts['repo'], bytes: number) => {
    const { q, t } = world.db
    const [row] = await q.select({ id: t.repos.id }).from(t.repos).where(eq(t.repos.name_key, name))
    await setFacts(world.db, row?.id ?? '', {
      ...(repo ? { repo } : {}),
      head: { bytes, parameters: bytes * 1e9 },
    })
  }

  beforeAll(async () => {
    world.deps.config.security.anonymous_read = true
    ada = await givenUser(world, 'ada')
    const bob = await givenUser(world, 'bob')
    const bert = await givenRepo(world, ada, { name: 'bert', visibility: 'public' })
    await givenCommit(world, ada, bert, [add('README.md', card), add('weights/a.txt')])
    await givenRepo(world, bob, { name: 'base', visibility: 'public', gated: 'manual' })
    await givenRepo(world, ada, { name: 'secret' })
    const words = await givenRepo(world, ada, { type: 'dataset', name: 'words', visibility: 'public' })
    const ofWords =
      '---\nlanguage: en\ntask_categories: [translation]\nsize_categories: n<1K\n---\nWords, many of them.'
    await givenCommit(world, ada, words, [add('README.md', ofWords)])
    const [likes, trending] = [{ likes: 5, downloads_30d: 1 }, { trending: 9 }]
    await setRepo('bert', { ...likes, updated_at: day(1), created_at: day(3) }, 1)
    await setRepo('base', { ...trending, updated_at: day(2), created_at: day(2) }, 2)
    await setRepo('secret', { downloads_30d: 7, updated_at: day(3), created_at: day(1) }, 3)
    mine = await hubOver(world).as(ada)
  })

  const ids = async (query: string, kind = 'models') => {
    const { status, body } = await mine.get<Line[]>(`/api/${kind}?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.map(({ id }) => id)
  }

  test('show what the caller may see, what trends first and of equals the latest', async () => {
    expect(await ids('')).toEqual(['bob/base', 'ada/secret', 'ada/bert'])
    const { body } = await hubOver(world).visitor.get<Line[]>('/api/models')
    expect(body.map(({ id }) => id)).toEqual(['bob/base', 'ada/bert'])
  })

  test.each([
    ['lastModified', ['ada/secret', 'bob/base', 'ada/bert']],
    ['last_modified', ['ada/secret', 'bob/base', 'ada/bert']],
    ['createdAt', ['ada/bert', 'bob/base', 'ada/secret']],
    ['downloads', ['ada/secret', 'ada/bert', 'bob/base']],
    ['likes', ['ada/bert', 'ada/secret', 'bob/base']],
    ['likes30d', ['ada/bert', 'ada/secret', 'bob/base']],
    ['num_parameters', ['ada/secret', 'bob/base', 'ada/bert']],
    ['mainSize', ['ada/secret', 'bob/base', 'ada/bert']],
    ['id', ['bob/base', 'ada/secret', 'ada/bert']],
  ])('sort by %s, descending, and the other way round', async (sort, expected) => {
    expect(await ids(`sort=${sort}&direction=-1`)).toEqual(expected)
    expect(await ids(`sort=${sort}&direction=1`)).toEqual(expected.toReversed())
  })

  test.each([
    ['search=BER', ['ada/bert']],
    ['search=a%2F&search=er', ['ada/bert']],
    ['author=bob', ['bob/base']],
    ['filter=transformers', ['ada/bert']],
    ['filter=transformers&filter=license:mit', ['ada/bert']],
    ['filter=transformers,license:apache-2.0', []],
    ['filter[]=tiny', ['ada/bert']],
    ['filter=en', ['ada/bert']],
    ['filter=language:no', ['ada/bert']],
    ['filter=dataset:ada/words', ['ada/bert']],
    ['filter=base_model:ada/base', ['ada/bert']],
    ['filter=text-generation&library=transformers', ['ada/bert']],
    ['pipeline_tag=text-generation', ['ada/bert']],
    ['pipeline_tag=translation', []],
    ['gated=true', ['bob/base']],
    ['gated=False&search=bert', ['ada/bert']],
    ['num_parameters=min:6B,max:128B', []],
    ['num_parameters=min:1.5B,max:2B', ['bob/base']],
    ['num_parameters=max:1000M', ['ada/bert']],
    ['apps=ollama', []],
    ['apps=vllm&filter=tiny', ['ada/bert']],
    ['apps=vllm&pipeline_tag=text-generation', ['ada/bert']],
    ['apps=vllm&pipeline_tag=fill-mask', []],
    ['apps=ollama&apps=mlx-lm', []],
    ['apps=unheard-of', []],
    ['inference=warm', []],
    ['inference_provider=all', []],
  ])('narrowed by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test.each([
    ['filter=language:en', ['ada/words']],
    ['filter=en', ['ada/words']],
    ['filter=task_categories:translation&filter=size_categories:n<1K', ['ada/words']],
    ['filter=task_ids:none', []],
  ])('of datasets, narrowed by %s', async (query, expected) => {
    expect(await ids(query, 'datasets')).toEqual(expected)
  })

  test.each([
    ['sort=best', '"sort" must be one of ['],
    ['expand=secrets', '"expand" must be one of [author, baseModels, '],
    ['num_parameters=lots', '"num_parameters" is written as'],
    ['limit=none', '"limit" must be a whole number'],
    [Array(60).fill('search=a').join('&'), '"search" may have at most'],
    [Array.from({ length: 60 }, (_, i) => `filter=${i}`).join('&'), '"filter" may have at most'],
  ])('refuse %s', async (query, message) => {
    const { status, body } = await mine.get(`/api/models?${query}`)
    expect([status, body['error']]).toEqual([400, expect.stringContaining(message)])
  })

  test('come in pages, whose links are absolute and keep what was asked', async () => {
    const seen: string[] = []
    let path: string | undefined = '/api/models?limit=1&sort=createdAt&filter=&full=true'
    while (path) {
      const page: { body: Line[]; header: (name: string) => string | null } = await mine.get<Line[]>(path)
      seen.push(...page.body.map(({ id }) => id))
      const next: string | undefined = /^<(http[^>]+)>; rel="next"$/.exec(page.header('link') ?? '')?.[1]
      if (next) expect(new URL(next).searchParams.get('full')).toBe('true')
      path = next && next.replace(/^https?:\/\/[^/]+/, '')
    }
    expect(seen).toEqual(['ada/bert', 'bob/base', 'ada/secret'])
    const page = await mine.get('/api/models?limit=1')
    const other = page.header('link')?.replace(/^.*cursor=([^>&]+).*$/, '$1')
    expect((await mine.get(`/api/models?limit=2&cursor=${other}`)).status).toBe(400)
  })

  test('lines with files come in shorter pages', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => `many-${i}`)
    const ids = new Map<string, string>()
    await world.db.write(async (tx) => {
      const { q, t } = tx
      const [like] = await q.select().from(t.repos).where(eq(t.repos.name_key, 'bert'))
      if (!like) expect.fail('no repo')
      for (const name of rows) {
        const id = `00000000-0000-7000-8000-${String(rows.indexOf(name)).padStart(12, '0')}`
        ids.set(name, id)
        const names = { name, name_key: name, full_key: `ada/${name}`, address_key: name }
        await q
          .insert(t.repos)
          .values({ ...like, id, ...names, likes: 0, changed: changeMark(t.repos.changed) })
        await addHead(tx, { id, type: 'model' })
      }
    })
    const page = await mine.get<Line[]>('/api/models?search=many&full=true')
    expect([page.body.length, page.header('link')?.includes('cursor=')]).toEqual([100, true])
    expect((await mine.get<Line[]>('/api/models?search=many')).body).toHaveLength(120)
    for (const id of ids.values()) await setFacts(world.db, id, { repo: { deleted_at: day(1) } })
  })
})
