import { expect, test } from 'vitest'
import {
  appOf,
  eachDatabase,
  givenRepo,
  givenToken,
  givenUser,
  setFacts,
  type GivenFacts,
  type World,
} from '../../testing.ts'
import { newId } from '../../stores/db/index.ts'
import { mountRepos } from './handlers.ts'

const base = '/api/service/v1'

interface Call {
  method: string
  path: string
  body?: unknown
}

/** Every operation on one repo, with a body it would accept. */
const operations = (id: string): Record<string, Call> => ({
  getRepo: { method: 'GET', path: '' },
  updateRepo: { method: 'PATCH', path: '', body: { description: 'x' } },
  deleteRepo: { method: 'DELETE', path: '' },
  restoreRepo: { method: 'POST', path: '/restore' },
  renameRepo: { method: 'POST', path: '/rename', body: { name: 'new' } },
  transferRepo: { method: 'POST', path: '/transfer', body: { ns: 'eve' } },
  likeRepo: { method: 'POST', path: '/like' },
  unlikeRepo: { method: 'DELETE', path: '/like' },
  listLikers: { method: 'GET', path: '/likers?limit=1' },
  getStats: { method: 'GET', path: '/stats?days=7' },
  getCollaborators: { method: 'GET', path: '/collaborators' },
  setCollaborators: { method: 'PUT', path: '/collaborators', body: { items: [] } },
  listAccessRequests: { method: 'GET', path: '/access-requests?limit=1' },
  createAccessRequest: { method: 'POST', path: '/access-requests', body: {} },
  decideAccessRequest: { method: 'PATCH', path: `/access-requests/${id}`, body: { status: 'accepted' } },
})

function clientOf(world: World, token?: string) {
  const app = appOf(world, { native: [mountRepos] })
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(`${base}${path}`, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}

eachDatabase('repos over HTTP', (world) => {
  async function signedIn(username: string, scopes: ('read' | 'write')[] = ['write']) {
    const user = await givenUser(world, username)
    const { secret } = await givenToken(world, user, { scopes })
    return { user, call: clientOf(world, secret) }
  }

  test('no operation tells a private repo from an absent one', async () => {
    const { user: ada } = await signedIn('ada')
    const { call } = await signedIn('eve')
    await givenRepo(world, ada, { name: 'secret', gated: 'manual' })
    for (const [operation, { method, path, body }] of Object.entries(operations(newId()))) {
      const answers = []
      for (const name of ['secret', 'absent']) {
        const response = await call(method, `/repos/models/ada/${name}${path}`, body)
        const { code, title, detail, errors } = (await response.json()) as Record<string, unknown>
        answers.push({ status: response.status, problem: { code, title, detail, errors } })
      }
      expect(answers[0], operation).toMatchObject({ status: 404, problem: { code: 'repo-not-found' } })
      expect(answers[0], operation).toEqual(answers[1])
    }
  })

  test('every operation asks anonymous to sign in, and a token for its scope', async () => {
    const { user } = await signedIn('bob')
    await givenRepo(world, user, { name: 'own', gated: 'manual' })
    const anonymous = clientOf(world)
    const { secret } = await givenToken(world, user, { scopes: ['read'] })
    const reader = clientOf(world, secret)
    for (const [operation, { method, path, body }] of Object.entries(operations(newId()))) {
      const refused = await anonymous(method, `/repos/models/bob/own${path}`, body)
      expect([operation, refused.status]).toEqual([operation, 401])
      if (method === 'GET') continue
      const response = await reader(method, `/repos/models/bob/own${path}`, body)
      expect([operation, response.status]).toEqual([operation, 403])
      expect(await response.json()).toMatchObject({ code: 'insufficient-scope' })
    }
  })

  test('every operation on an old address leads to the new one with a relative 307', async () => {
    const { user, call } = await signedIn('cid')
    await givenRepo(world, user, { name: 'old', gated: 'manual' })
    expect((await call('POST', '/repos/models/cid/old/rename', { name: 'present' })).status).toBe(200)
    for (const [operation, { method, path, body }] of Object.entries(operations(newId()))) {
      const response = await call(method, `/repos/models/cid/old${path}`, body)
      expect([operation, response.status]).toEqual([operation, 307])
      expect(response.headers.get('Location')).toBe(`${base}/repos/models/cid/present${path}`)
    }
  })

  test('collaborators are a list with one page, which can be sent back as it was read', async () => {
    const { call } = await signedIn('cleo')
    const { user: dora } = await signedIn('dora')
    await call('POST', '/repos', { type: 'model', ns: 'cleo', name: 'shared' })
    const url = '/repos/models/cleo/shared/collaborators'
    expect(await (await call('GET', url)).json()).toEqual({ items: [], next_cursor: '' })
    const list = { items: [{ username: dora.username, role: 'write' }], next_cursor: '' }
    expect(await (await call('PUT', url, list)).json()).toEqual(list)
    expect(await (await call('PUT', url, await (await call('GET', url)).json())).json()).toEqual(list)
    const items = Array.from({ length: 501 }, (_, i) => ({ username: `u${i}`, role: 'read' }))
    expect((await call('PUT', url, { items })).status).toBe(422)
  })

  test('a repo is made, read, changed and deleted', async () => {
    const { call } = await signedIn('dan')
    const created = await call('POST', '/repos', {
      type: 'dataset',
      ns: 'dan',
      name: 'Rows',
      licence: 'cc0-1.0',
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('Location')).toBe(`${base}/repos/datasets/dan/Rows`)
    const repo = (await created.json()) as Record<string, unknown>
    expect(repo).toMatchObject({
      full_name: 'dan/Rows',
      visibility: 'private',
      gated: false,
      default_branch: 'main',
      head_commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      file_count: 2,
      licence: 'cc0-1.0',
      my_role: 'admin',
      liked: false,
      clone_url: 'http://localhost:8080/datasets/dan/Rows',
    })
    expect(Object.values(repo)).not.toContain(null)
    const etag = created.headers.get('ETag') ?? ''
    const url = '/repos/datasets/dan/Rows'
    const changed = await call('PATCH', url, { gated: 'auto', visibility: 'public' }, { 'If-Match': etag })
    expect(await changed.json()).toMatchObject({ gated: 'auto', visibility: 'public', access: 'none' })
    const stale = await call('PATCH', url, { gated: false }, { 'If-Match': etag })
    expect(stale.status).toBe(412)
    expect((await call('DELETE', url, undefined, { 'If-Match': etag })).status).toBe(412)
    expect((await call('DELETE', url)).status).toBe(204)
    const deleted = (await (await call('GET', url)).json()) as Record<string, string>
    expect(Date.parse(deleted['restore_until'] ?? '') - Date.parse(deleted['deleted_at'] ?? '')).toBe(
      168 * 3_600_000,
    )
    expect((await call('POST', `${url}/restore`)).status).toBe(200)
    const taken = await call('POST', '/repos', { type: 'dataset', ns: 'dan', name: 'rows' })
    expect(await taken.json()).toMatchObject({ status: 409, code: 'name-taken', errors: [{ field: 'name' }] })
  })

  test('every filter of a list is asked for by its own parameter', async () => {
    const { user, call } = await signedIn('kim')
    const given: [string, 'model' | 'dataset', GivenFacts][] = [
      [
        'small',
        'model',
        {
          head: { parameters: 1_000, context_length: 512, bytes: 10 },
          facets: { quant: ['Q4_K_M'], format: ['gguf'], modality: ['nlp'] },
        },
      ],
      [
        'large',
        'model',
        {
          head: { parameters: 7_000, context_length: 4096, bytes: 20_000 },
          facets: { quant: ['Q8_0'], format: ['gguf'], modality: ['cv'] },
        },
      ],
      ['unknown', 'model', { head: { bytes: 20_000 } }],
      [
        'rows',
        'dataset',
        { head: { rows: 100, bytes: 20_000 }, facets: { modality: ['text'], size_category: ['n<1K'] } },
      ],
      [
        'many-rows',
        'dataset',
        {
          head: { rows: 5000, bytes: 20_000 },
          facets: { modality: ['text', 'image'], size_category: ['1K<n<10K'] },
        },
      ],
    ]
    for (const [name, type, facts] of given)
      await setFacts(world.db, (await givenRepo(world, user, { name, type })).id, facts)
    const asked: [string, string[]][] = [
      ['quant=q4_k_m', ['small']],
      ['quant=q4_k_m,Q8_0', ['large', 'small']],
      ['quant=Q4', []],
      ['params_min=1001', ['large']],
      ['params_max=1000', ['small']],
      ['params_min=1000&params_max=7000', ['large', 'small']],
      ['context_min=513', ['large']],
      ['context_min=512', ['large', 'small']],
      ['size_max=10', ['small']],
      ['size_max=9', []],
      ['rows_min=101', ['many-rows']],
      ['rows_max=100', ['rows']],
      ['rows_min=100&rows_max=5000', ['many-rows', 'rows']],
      ['modality=nlp', ['small']],
      ['modality=image,cv', ['large', 'many-rows']],
      [`size_category=${encodeURIComponent('n<1K')}`, ['rows']],
      [`size_category=${encodeURIComponent('n<1K,1K<n<10K')}`, ['many-rows', 'rows']],
      ['type=models&modality=text', []],
      ['type=datasets&modality=text&rows_min=101', ['many-rows']],
    ]
    for (const [query, names] of asked) {
      const page = await call('GET', `/repos?ns=kim&sort=name&${query}`)
      const { items, total } = (await page.json()) as { items: { name: string }[]; total: number }
      expect([query, items.map(({ name }) => name), total]).toEqual([query, names, names.length])
    }
  })

  test.each([
    ...['updated', 'created', 'size', 'parameters', 'downloads', 'likes', 'trending'].map((sort) => [
      sort,
      true,
    ]),
    ['name', false],
  ] as [string, boolean][])('pages sorted by %s have everything once', async (sort, isDescending) => {
    const { user, call } = await signedIn(`lea-${sort}`)
    const unknown = 2
    for (let i = 0; i < 7; i++) {
      const { id } = await givenRepo(world, user, { name: `p${i}` })
      const at = new Date(world.clock.now.getTime() + (i % 4) * 1000)
      const n = i % 4
      const repo = { likes: n, updated_at: at, created_at: at, downloads_30d: n, trending: n }
      const parameters = i < unknown ? -1 : n
      await setFacts(world.db, id, { repo, head: { bytes: n, parameters } })
    }
    const pages: string[] = []
    let cursor = ''
    do {
      const response = await call('GET', `/repos?ns=lea-${sort}&sort=${sort}&limit=2&cursor=${cursor}`)
      expect(response.status).toBe(200)
      const page = (await response.json()) as { items: { name: string }[]; next_cursor: string }
      pages.push(...page.items.map(({ name }) => name))
      cursor = page.next_cursor
    } while (cursor !== '')
    expect(pages.toSorted()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
    const place = (name: string) => {
      const i = Number(name.slice(1))
      return sort === 'name' ? i : sort === 'parameters' && i < unknown ? -1 : i % 4
    }
    const ordered = pages.map(place).toSorted((a, b) => (isDescending ? b - a : a - b))
    expect(pages.map(place)).toEqual(ordered)
  })

  test('a list answers its facets, and refuses cursors that are not its own', async () => {
    const { user, call } = await signedIn('fay')
    const { call: other } = await signedIn('gus')
    for (const name of ['a', 'b', 'c'])
      await givenRepo(world, user, { name, licence: 'mit', visibility: 'public' })
    const page = (await (await call('GET', '/repos?ns=fay&sort=name&limit=2')).json()) as {
      next_cursor: string
    }
    expect(page).toMatchObject({
      items: [{ name: 'a' }, { name: 'b' }],
      total: 3,
      facets: { task: [], licence: [{ value: 'mit', count: 3 }] },
    })
    const cursor = page.next_cursor
    const next = await call('GET', `/repos?ns=fay&sort=name&limit=2&cursor=${cursor}`)
    expect(await next.json()).toMatchObject({ items: [{ name: 'c' }], next_cursor: '' })
    const flipped = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA')
    const wrong = [
      call('GET', `/repos?ns=fay&sort=likes&limit=2&cursor=${cursor}`),
      call('GET', `/repos?sort=name&limit=2&cursor=${cursor}`),
      call('GET', `/repos?ns=fay&sort=name&limit=2&cursor=${flipped}`),
      call('GET', '/repos?ns=fay&sort=name&cursor=garbage'),
      other('GET', `/repos?ns=fay&sort=name&limit=2&cursor=${cursor}`),
    ]
    for (const response of await Promise.all(wrong))
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid-cursor' }])
  })

  test.each([
    ['GET', '/repos?limit=0', undefined, 422, 'query.limit'],
    ['GET', '/repos?sort=stars', undefined, 422, 'query.sort'],
    ['GET', '/repos?params_min=-1', undefined, 422, 'query.params_min'],
    ['GET', '/repos?rows_max=few', undefined, 422, 'query.rows_max'],
    ['GET', '/repos?formats=gguf', undefined, 422, 'query.formats'],
    ['GET', '/repos?q=%00', undefined, 422, 'query.q'],
    ['GET', '/repos?ns=%00', undefined, 422, 'query.ns'],
    ['POST', '/repos', { type: 'model', ns: 'ME', name: 'x', owner: 1 }, 422, 'owner'],
    ['POST', '/repos', { type: 'space', ns: 'ME', name: 'x' }, 422, 'type'],
    ['POST', '/repos', { type: 'model', ns: 'ME', name: 'a\0' }, 422, 'name'],
    ['POST', '/repos', { type: 'model', ns: 'ME', name: 'x', description: '\0' }, 422, 'description'],
    [
      'POST',
      '/repos',
      { type: 'model', ns: 'ME', name: 'x', description: 'x'.repeat(2001) },
      422,
      'description',
    ],
    ['POST', '/repos', { type: 'model', ns: 'h\0', name: 'x' }, 403, undefined],
    ['PATCH', '/repos/models/ME/nul%00', {}, 404, undefined],
    ['GET', '/repos/spaces/ME/x', undefined, 404, 'path.type'],
    ['PATCH', '/repos/models/ME/x/access-requests/1', { status: 'accepted' }, 404, 'path.id'],
  ])('%s %s with %j answers %i', async (method, path, body, status, field) => {
    const name = `hal${Math.random().toString(36).slice(2)}`
    const { call } = await signedIn(name)
    const own: unknown = body && JSON.parse(JSON.stringify(body).replaceAll('"ME"', `"${name}"`))
    const response = await call(method, path.replace('/ME/', `/${name}/`), own)
    const problem = (await response.json()) as { errors?: { field: string }[] }
    expect([response.status, problem.errors?.[0]?.field]).toEqual([status, field])
  })
})
