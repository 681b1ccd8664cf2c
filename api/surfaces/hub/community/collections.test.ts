import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { buildApp } from '../../../app/app.ts'
import { givenCollection } from '../../../rooms/collections/testing.ts'
import type { App } from '../../../core/http/env.ts'
import type { Repo } from '../../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../../testing.ts'

type Body = Record<string, unknown>

eachDatabase('the hub surface of collections', (world) => {
  let app: App
  let ada: UserActor
  let repo: Repo
  const secrets = new Map<UserActor, string>()
  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    ada = await givenUser(world, 'ada')
    secrets.set(ada, (await givenToken(world, ada)).secret)
    repo = await givenRepo(world, ada, { name: 'tiny', visibility: 'public' })
  })

  const call = async (method: string, path: string, body?: unknown, actor = ada) => {
    const answer = await app.request(`/api/collections${path}`, {
      method,
      headers: { Authorization: `Bearer ${secrets.get(actor)}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(text).not.toMatch(/:null[,}]/)
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text) as Body }
  }

  test('one has every field that clients read, and lists have no more than clients accept', async () => {
    const made = await call('POST', '', { title: 'Small models', namespace: 'ada', private: false })
    expect(made.body).toEqual({
      slug: expect.stringMatching(/^ada\/small-models-[0-9a-f]{24}$/),
      title: 'Small models',
      owner: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'ada',
        fullname: 'ada',
        avatarUrl: expect.stringMatching(/^http.*\/avatars\/ada\.svg$/),
        type: 'user',
      },
      items: [],
      lastUpdated: expect.stringMatching(/Z$/),
      position: 0,
      private: false,
      theme: 'blue',
      upvotes: 0,
      isUpvotedByUser: false,
      gating: false,
    })
    const slug = String(made.body['slug'])
    const item = { type: 'model', id: 'ada/tiny' }
    const filled = await call('POST', `/${slug}/items`, { item, note: 'a < b\nc' })
    expect(filled.body['items']).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...item,
        position: 0,
        note: { html: 'a &lt; b<br>c', text: 'a < b\nc' },
        author: 'ada',
        repoType: 'model',
        likes: 0,
        isLikedByUser: false,
        downloads: 0,
        lastModified: expect.stringMatching(/Z$/),
        private: false,
        gated: false,
      },
    ])
    const { position, ...line } = filled.body
    expect(position).toBe(0)
    expect((await call('GET', '?owner=ada&item=models/ada/tiny&q=small')).body).toEqual([line])
    expect((await call('POST', `/${slug}/items`, { item })).status).toBe(409)
    const again = await call('POST', '', { title: 'Small models', namespace: 'ada' })
    expect(again).toMatchObject({ status: 409, body: { slug, error: expect.any(String) } })
  })

  test('a change answers in data, an item by its short id, under any slug it has had', async () => {
    const { ns, slug } = await givenCollection(world, ada, [repo], { title: 'Before' })
    const at = `/${ns}/${slug}`
    const wanted = { title: 'After', description: 'Now.', private: true, theme: 'pink', position: 0 }
    const changed = await call('PATCH', at, wanted)
    expect(changed.body).toMatchObject({
      success: true,
      data: { ...wanted, slug: expect.stringMatching(/^ada\/after-/) },
    })
    const [item] = (changed.body['data'] as { items: Body[] }).items
    const itemAt = `${at}/items/${String(item?.['_id']).toUpperCase()}`
    expect(await call('PATCH', itemAt, { note: 'Noted.', position: 3 })).toMatchObject({
      status: 200,
      body: {},
    })
    expect((await call('GET', at)).body).toMatchObject({ items: [{ note: { text: 'Noted.' }, position: 0 }] })
    expect((await call('DELETE', itemAt)).status).toBe(200)
    expect((await call('DELETE', itemAt)).status).toBe(404)
    expect((await call('DELETE', at)).status).toBe(200)
    expect((await call('DELETE', at)).status).toBe(404)
  })

  test('a collection in another is named by its slug, and upvotes make two orders of their own', async () => {
    const inner = await givenCollection(world, ada, [repo], { title: 'Orders inner' })
    const outer = await givenCollection(world, ada, [], { title: 'Orders outer' })
    const slugs = [inner, outer].map(({ ns, slug }) => `${ns}/${slug}`) as [string, string]
    const item = { type: 'collection', id: slugs[0] }
    const filled = await call('POST', `/${slugs[1]}/items`, { item, note: 'See.' })
    expect(filled.body['items']).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        type: 'collection',
        slug: slugs[0],
        position: 0,
        note: { html: 'See.', text: 'See.' },
        title: 'Orders inner',
        owner: expect.objectContaining({ name: 'ada' }),
        lastUpdated: expect.stringMatching(/Z$/),
        private: false,
        theme: 'blue',
        upvotes: 0,
        isUpvotedByUser: false,
        numberItems: 1,
      },
    ])
    expect((await call('POST', `/${slugs[1]}/items`, { item })).status).toBe(409)
    expect((await call('POST', `/${slugs[0]}/items`, { item })).status).toBe(422)
    const order = async (sort: string) =>
      ((await call('GET', `?q=orders&sort=${sort}`)).body as unknown as { slug: string }[]).map(
        ({ slug }) => slug,
      )
    expect(await order('trending')).toEqual([slugs[1], slugs[0]])
    const upvoted = await call('POST', `/${slugs[0]}/upvote`)
    expect(upvoted).toMatchObject({ status: 200, body: { upvotes: 1, isUpvotedByUser: true } })
    expect((await call('GET', `/${slugs[0]}`)).body).toMatchObject({ upvotes: 1, isUpvotedByUser: true })
    expect([await order('upvotes'), await order('trending'), await order('lastModified')]).toEqual([
      slugs,
      slugs,
      slugs.toReversed(),
    ])
    const back = await call('DELETE', `/${slugs[0]}/upvote`)
    expect(back).toMatchObject({ status: 200, body: { upvotes: 0, isUpvotedByUser: false } })
    const holding = (await call('GET', `?item=collections/${slugs[0]}`)).body as unknown as { slug: string }[]
    expect(holding.map(({ slug }) => slug)).toEqual([slugs[1]])
  })

  test('lists are cut into pages that link to the next', async () => {
    for (const title of ['Leaf 1', 'Leaf 2', 'Leaf 3']) await givenCollection(world, ada, [], { title })
    const titles: unknown[] = []
    let path: string | undefined = '?q=leaf&limit=2&sort=lastModified'
    while (path !== undefined) {
      const { body, headers } = await call('GET', path)
      titles.push(...(body as unknown as { title: string }[]).map(({ title }) => title))
      path = /^<http[^>]*\/api\/collections([^>]*)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1]
    }
    expect(titles.toSorted()).toEqual(['Leaf 1', 'Leaf 2', 'Leaf 3'])
  })

  test.each([
    ['GET', '?sort=best', undefined, 400],
    ['GET', '?limit=0', undefined, 400],
    ['GET', '?q=a%00b', undefined, 400],
    ['GET', '?cursor=x', undefined, 400],
    ['GET', `?${'owner=ada&'.repeat(51)}`, undefined, 400],
    ['GET', `?${'item=models/ada/tiny&'.repeat(51)}`, undefined, 400],
    ['GET', `?q=${Array.from({ length: 51 }, (_, i) => i).join('+')}`, undefined, 400],
    ['GET', `?q=${'a+'.repeat(3000)}`, undefined, 200],
    ['GET', '?item=papers/1234.5678', undefined, 200],
    ['GET', '/ada/none', undefined, 404],
    ['POST', '', { title: 'x' }, 400],
    ['POST', '', { title: '', namespace: 'ada' }, 422],
    ['POST', '', { title: 'x', namespace: 'absent' }, 403],
    ['POST', '/:slug/items', { item: { type: 'paper', id: '1234.5678' } }, 404],
    ['POST', '/:slug/items', { item: { type: 'dataset', id: 'ada/tiny' } }, 404],
    ['POST', '/:slug/items', { item: { type: 'model', id: 'tiny' } }, 404],
    ['PATCH', '/:slug', { theme: 'black' }, 400],
    ['PATCH', '/:slug', { description: 'x'.repeat(151) }, 422],
    ['PATCH', '/:slug', { unknown: true }, 200],
  ])('%s %s %j is %i', async (method, path, body, status) => {
    const { ns, slug } = await givenCollection(world, ada)
    const answer = await call(method, path.replace(':slug', `${ns}/${slug}`), body)
    expect([answer.status, answer.body]).toEqual([status, answer.body])
  })
})
