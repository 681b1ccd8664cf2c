import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { beginSession } from './session.ts'
import { base, client } from './testing.ts'

eachDatabase('sessions and tokens over HTTP', (world) => {
  const call = client(world)
  let ada: UserActor & { secret: string }
  let csrf = ''
  let token = ''
  beforeAll(async () => {
    ada = await givenUser(world, 'Ada')
    csrf = ada.auth.kind === 'session' ? world.deps.secrets.csrfFor(ada.auth.sessionId) : ''
    token = (await givenToken(world, ada, { name: 'laptop' })).secret
  })

  test('a list marks the session that asks', async () => {
    await world.db.write((tx) => beginSession(tx, world.ctx(), ada.id))
    const { json } = await call('GET', `${base}/me/sessions?limit=500`, { session: ada.secret })
    const items = json?.['items'] as { current: boolean }[]
    expect(items.length).toBe(2)
    expect(items.filter((item) => item.current).length).toBe(1)
    expect(json?.['next_cursor']).toBe('')
  })

  test('a token is created with its secret and a Location, and listed without', async () => {
    const body = { name: 'ci', scopes: ['read'], repos: [{ type: 'model', ns: 'acme', name: 'x' }] }
    const made = await call('POST', `${base}/me/tokens`, { session: ada.secret, csrf, body })
    const { secret, id } = made.json as { secret: string; id: string }
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${base}/me/tokens/${id}`)
    expect(await call('GET', `${base}/me`, { bearer: secret })).toMatchObject({ status: 200 })
    const list = await call('GET', `${base}/me/tokens?limit=500`, { session: ada.secret })
    expect(list.text).toContain(id)
    expect(list.text).not.toContain(secret)
    expect(await call('DELETE', `${base}/me/tokens/${id}`, { session: ada.secret, csrf })).toMatchObject({
      status: 204,
    })
    expect(await call('GET', `${base}/me`, { bearer: secret })).toMatchObject({ status: 401 })
  })

  test.each([
    ['scopes', { name: 'x', scopes: [] }],
    ['scopes.0', { name: 'x', scopes: ['root'] }],
    ['scopes', { name: 'x', scopes: ['read', 'read'] }],
    ['name', { name: '', scopes: ['read'] }],
    ['repos', { name: 'x', scopes: ['read'], repos: [] }],
    ['namespaces.0', { name: 'x', scopes: ['read'], namespaces: ['a\0'] }],
    ['expires_at', { name: 'x', scopes: ['read'], expires_at: 'tomorrow' }],
    ['expires_at', { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }],
    ['user_id', { name: 'x', scopes: ['read'], user_id: 'me' }],
  ])('creating a token is 422 naming %s for %j', async (field, body) => {
    expect(await call('POST', `${base}/me/tokens`, { bearer: token, body })).toMatchObject({
      status: 422,
      json: { errors: [{ field }] },
    })
  })

  test('a cursor works for the list and user it was made for alone', async () => {
    await givenToken(world, ada)
    const page = await call('GET', `${base}/me/tokens?limit=1`, { bearer: token })
    const cursor = encodeURIComponent(String(page.json?.['next_cursor']))
    expect(await call('GET', `${base}/me/tokens?limit=1&cursor=${cursor}`, { bearer: token })).toMatchObject({
      status: 200,
    })
    const other = await givenToken(world, await givenUser(world, 'peeker'))
    for (const [path, bearer] of [
      [`/me/tokens?cursor=${cursor}`, other.secret],
      [`/me/sessions?cursor=${cursor}`, token],
      ['/me/tokens?cursor=forged', token],
    ] as const)
      expect(await call('GET', base + path, { bearer })).toMatchObject({
        status: 400,
        json: { code: 'invalid-cursor' },
      })
  })

  test.each(['0', '501', 'x', '-1', '1.5'])('limit=%s is 422', async (limit) => {
    expect(await call('GET', `${base}/me/tokens?limit=${limit}`, { bearer: token })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'query.limit' }] },
    })
  })

  test.each(['sessions', 'tokens'])('an unknown or malformed id is 404 (%s)', async (room) => {
    for (const id of ['00000000-0000-7000-8000-000000000000', 'x', 'a%00'])
      expect(await call('DELETE', `${base}/me/${room}/${id}`, { bearer: token })).toMatchObject({
        status: 404,
      })
  })
})
