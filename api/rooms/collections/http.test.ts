import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import type { Repo } from '../repos/index.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { mountCollections } from './handlers.ts'

eachDatabase('collections over HTTP', (world) => {
  let ada: UserActor
  let secret = ''
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    secret = (await givenToken(world, ada)).secret
    repo = await givenRepo(world, ada, { name: 'tiny', visibility: 'public', description: 'small' })
  })

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await appOf(world, { native: [mountCollections] }).request(`${nativeBase}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    }
  }
  const given = async (title: string) => {
    const made = await call('POST', '/collections', { ns: 'ada', title })
    return `/collections/ada/${String(made.body['slug'])}`
  }
  const ref = () => ({ type: 'model', ns: repo.ns, name: repo.name })

  test('one is made, filled, read and deleted', async () => {
    const wanted = { ns: 'ada', title: ' Small models ', description: 'The small ones.', theme: 'green' }
    const made = await call('POST', '/collections', wanted)
    const slug = String(made.body['slug'])
    expect(made).toMatchObject({
      status: 201,
      body: {
        ns: 'ada',
        slug: expect.stringMatching(/^small-models-[0-9a-f]{24}$/),
        title: 'Small models',
        description: 'The small ones.',
        visibility: 'private',
        theme: 'green',
        upvotes: 0,
        item_count: 0,
        items: [],
        my_role: 'admin',
      },
    })
    const path = `/collections/ada/${slug}`
    expect(made.headers.get('Location')).toBe(`${nativeBase}${path}`)
    const filled = await call('POST', `${path}/items`, { item: ref(), note: 'Nice.' })
    expect(filled.status).toBe(200)
    const read = await call('GET', path)
    expect(read.body).toEqual(filled.body)
    expect(read.body).toMatchObject({
      item_count: 1,
      items: [{ item: ref(), note: 'Nice.', position: 0, repo: { full_name: 'ada/tiny', likes: 0 } }],
    })
    const list = await call('GET', '/collections?item=models/ada/tiny&owner=ADA&q=small')
    expect(list.body).toMatchObject({ items: [{ slug, item_count: 1, items: [{ item: ref() }] }] })
    expect(JSON.stringify(list.body)).not.toContain('full_name')
    const [item] = read.body['items'] as { id: string }[]
    expect((await call('DELETE', `${path}/items/${item?.id}`)).status).toBe(204)
    expect((await call('GET', path)).body).toMatchObject({ item_count: 0, items: [] })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
  })

  test('changes say which state they are of, and are refused on another', async () => {
    const path = await given('Guarded')
    const first = (await call('GET', path)).headers.get('ETag') ?? ''
    const filled = await call('POST', `${path}/items`, { item: ref() })
    const second = filled.headers.get('ETag') ?? ''
    expect(second).not.toBe(first)
    const [item] = filled.body['items'] as { id: string }[]
    const late: [string, string, unknown][] = [
      ['PATCH', path, { title: 'Late' }],
      ['PATCH', `${path}/items/${item?.id}`, { note: 'Late' }],
      ['DELETE', `${path}/items/${item?.id}`, undefined],
      ['DELETE', path, undefined],
    ]
    for (const [method, at, body] of late)
      expect((await call(method, at, body, { 'If-Match': first })).body['code']).toBe('precondition-failed')
    const changed = await call('PATCH', path, { visibility: 'public' }, { 'If-Match': second })
    expect(changed).toMatchObject({ status: 200, body: { visibility: 'public' } })
    expect(changed.headers.get('ETag')).not.toBe(second)
    expect((await call('DELETE', path, undefined, { 'If-Match': '*' })).status).toBe(204)
  })

  test('a theme is taken away by null, and stays where it is not spoken of', async () => {
    const themed = await call('POST', '/collections', { ns: 'ada', title: 'Coloured', theme: 'pink' })
    const path = `/collections/ada/${String(themed.body['slug'])}`
    expect((await call('PATCH', path, { description: 'Still.' })).body).toHaveProperty('theme', 'pink')
    expect((await call('PATCH', path, { theme: null })).body).not.toHaveProperty('theme')
    expect((await call('GET', path)).body).not.toHaveProperty('theme')
  })

  test('pages of a list follow one another, and a cursor serves its own list alone', async () => {
    for (const title of ['Page 1', 'Page 2', 'Page 3']) await given(title)
    const titles: unknown[] = []
    let cursor = ''
    do {
      const { body } = await call('GET', `/collections?q=page&limit=2&cursor=${cursor}`)
      titles.push(...(body['items'] as { title: string }[]).map(({ title }) => title))
      cursor = String(body['next_cursor'])
      if (cursor) expect((await call('GET', `/collections?limit=2&cursor=${cursor}`)).status).toBe(400)
    } while (cursor)
    expect(titles.toSorted()).toEqual(['Page 1', 'Page 2', 'Page 3'])
  })

  test.each([
    ['/collections?item=tiny', 422],
    ['/collections?item=spaces/ada/tiny', 422],
    ['/collections?item=models/ada/none', 200],
    ['/collections?owner=nobody', 200],
    ['/collections?limit=501', 422],
    ['/collections?sort=best', 422],
    ['/collections/ada/nothing', 404],
    ['/collections/a%00b/small-0123456789abcdef01234567', 404],
    ['/collections/ada/small-0123456789abcdef01234567', 404],
  ])('GET %s is %i', async (path, status) => {
    expect((await call('GET', path)).status).toBe(status)
  })

  test('what is not acceptable is named', async () => {
    const path = await given('Refusing')
    await call('POST', `${path}/items`, { item: ref() })
    const refused = async (method: string, at: string, body: unknown) => {
      const answer = await call(method, at, body)
      return [answer.status, answer.body['code']]
    }
    const items = `${path}/items`
    expect(await refused('POST', items, { item: ref() })).toEqual([409, 'already-exists'])
    expect(await refused('POST', items, { item: { ...ref(), type: 'dataset' } })).toEqual([
      404,
      'repo-not-found',
    ])
    expect(await refused('POST', items, { item: { ...ref(), type: 'space' } })).toEqual([
      422,
      'validation-failed',
    ])
    expect(await refused('POST', '/collections', { ns: 'ada', title: 'Refusing' })).toEqual([
      409,
      'already-exists',
    ])
    expect(await refused('POST', '/collections', { ns: 'eve', title: 'Mine' })).toEqual([403, 'forbidden'])
    expect(await refused('PATCH', path, { theme: 'black' })).toEqual([422, 'validation-failed'])
    expect(await refused('PATCH', path, { upvotes: 3 })).toEqual([422, 'validation-failed'])
    expect(await refused('PATCH', `${items}/x`, { note: 'x' })).toEqual([404, 'not-found'])
  })
})
