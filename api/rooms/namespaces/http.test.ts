import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import {
  appOf,
  eachDatabase,
  givenOrg,
  givenToken,
  givenUser,
  testConfig,
  type World,
} from '../../testing.ts'
import { mountAvatars } from './avatars/handlers.ts'
import { mountNamespaces } from './handlers.ts'

const base = '/api/service/v1'
const png = Buffer.from('\x89PNG\r\n\x1a\n of one point', 'latin1')

async function call(
  world: World,
  method: string,
  path: string,
  bearer?: string,
  body?: unknown,
  type = 'application/json',
) {
  const app = appOf(world, { native: [mountNamespaces], root: [mountAvatars] })
  const answer = await app.request(path, {
    method,
    headers: {
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'Content-Type': type }),
    },
    ...(body !== undefined && {
      body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
    }),
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : undefined
  return { status: answer.status, headers: answer.headers, text, json }
}

eachDatabase('namespaces over HTTP', (world) => {
  let ada: UserActor
  let token = ''
  let stranger = ''
  beforeAll(async () => {
    ada = await givenUser(world, 'Ada')
    token = (await givenToken(world, ada)).secret
    stranger = (await givenToken(world, await givenUser(world, 'stranger'))).secret
    await givenOrg(world, 'Acme', ada)
  })
  const api = (method: string, path: string, bearer = token, body?: unknown) =>
    call(world, method, base + path, bearer, body)

  /** The same world with anonymous reading switched on. */
  const open = (): World => {
    const config = testConfig(world.dir, { security: { anonymous_read: true } })
    return { ...world, deps: { ...world.deps, config } }
  }

  test('a profile is found in any case, with the caller’s role and counts', async () => {
    expect(await api('GET', '/namespaces/acme')).toMatchObject({ status: 200 })
    const { json } = await api('GET', '/namespaces/ACME')
    expect(json).toEqual({
      ns: 'Acme',
      kind: 'org',
      display_name: 'Acme',
      avatar_url: '/avatars/Acme.svg',
      followed: false,
      has_avatar: false,
      created_at: '2026-03-01T12:00:00.000Z',
      default_visibility: 'public',
      counts: { models: 0, datasets: 0, collections: 0, members: 1, followers: 0 },
      my_role: 'admin',
      storage: { used_bytes: 0, pending_bytes: 0 },
    })
    const { json: shown } = await api('GET', '/namespaces/Acme', stranger)
    for (const ofMembers of ['my_role', 'storage']) expect(shown).not.toHaveProperty(ofMembers)
    expect((await api('GET', '/namespaces/ada')).json).toMatchObject({ kind: 'user', my_role: 'admin' })
  })

  test.each(['nobody', 'a%00b', '..', '%ED%A0%80', 'x'.repeat(5000)])(
    'GET /namespaces/%s is 404',
    async (name) => {
      expect(await api('GET', `/namespaces/${name}`)).toMatchObject({ status: 404 })
    },
  )

  test('the anonymous get 401 for what is there and what is not, alike, and profiles once they may read', async () => {
    const answers = await Promise.all(
      ['Acme', 'nobody'].map((name) => call(world, 'GET', `${base}/namespaces/${name}`)),
    )
    const comparable = answers.map(({ status, json }) => ({
      status,
      code: json?.['code'],
      title: json?.['title'],
    }))
    expect(comparable[0]).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(comparable[1]).toEqual(comparable[0])
    expect(await call(open(), 'GET', `${base}/namespaces/Acme`)).toMatchObject({ status: 200 })
    expect(await call(open(), 'GET', `${base}/orgs/Acme/members`)).toMatchObject({ status: 200 })
    expect(await call(open(), 'GET', `${base}/namespaces/nobody`)).toMatchObject({ status: 404 })
  })

  describe('Organisations', () => {
    test('are created, changed, emptied of a field, and deleted', async () => {
      const made = await api('POST', '/orgs', token, {
        ns: 'Fresh',
        display_name: 'Fresh Org',
        website: 'https://x.org',
      })
      expect(made).toMatchObject({
        status: 201,
        json: { ns: 'Fresh', display_name: 'Fresh Org', my_role: 'admin' },
      })
      expect(made.headers.get('location')).toBe(`${base}/namespaces/Fresh`)
      expect(await api('PATCH', '/orgs/fresh', token, { bio: 'We\nmake things.' })).toMatchObject({
        json: { bio: 'We\nmake things.', website: 'https://x.org' },
      })
      const { json } = await api('PATCH', '/orgs/fresh', token, { website: '', bio: '' })
      expect(json).not.toHaveProperty('website')
      expect(json).not.toHaveProperty('bio')
      expect(await api('DELETE', '/orgs/fresh')).toMatchObject({ status: 204, text: '' })
      expect(await api('DELETE', '/orgs/fresh')).toMatchObject({ status: 404 })
    })

    test.each([
      [422, 'validation-failed', {}],
      [422, 'validation-failed', { ns: 'x', admin: 'me' }],
      [422, 'validation-failed', { ns: 'x', website: 'javascript:alert(1)' }],
      [422, 'validation-failed', { ns: 'x', website: 'https://x.org/\0' }],
      [422, 'validation-failed', { ns: 'x', display_name: 'y'.repeat(101) }],
      [422, 'validation-failed', { ns: 'x', bio: 'a\0' }],
      [422, 'invalid-name', { ns: 'api' }],
      [422, 'invalid-name', { ns: '../x' }],
      [409, 'name-taken', { ns: 'aCME' }],
    ])('creating is %i %s for %j', async (status, code, body) => {
      expect(await api('POST', '/orgs', token, body)).toMatchObject({ status, json: { code } })
    })

    test.each([
      ['PATCH', '/orgs/Acme', { bio: 'x' }],
      ['DELETE', '/orgs/Acme', undefined],
      ['PUT', '/orgs/Acme/members/stranger', { role: 'admin' }],
      ['DELETE', '/orgs/Acme/members/Ada', undefined],
    ])('%s %s is 403 for a stranger, 401 for an anonymous caller', async (method, path, body) => {
      expect(await api(method, path, stranger, body)).toMatchObject({
        status: 403,
        json: { code: 'forbidden' },
      })
      expect(await call(world, method, base + path, undefined, body)).toMatchObject({ status: 401 })
    })

    test('a user is no organisation', async () => {
      for (const path of ['/orgs/Ada/members', '/orgs/Ada/members/Ada'])
        expect(await api('GET', path)).toMatchObject({ status: 404, json: { code: 'not-found' } })
      expect(await api('DELETE', '/orgs/Ada')).toMatchObject({ status: 404 })
    })
  })

  test('members are put, listed page by page in name order, read and removed', async () => {
    for (const name of ['zoe', 'Bob', 'carl']) {
      await givenUser(world, name)
      expect(await api('PUT', `/orgs/Acme/members/${name}`, token, { role: 'write' })).toMatchObject({
        status: 200,
        json: { username: name, role: 'write', source: 'manual' },
      })
    }
    const names: unknown[] = []
    let cursor = ''
    do {
      const { json } = await api('GET', `/orgs/acme/members?limit=2&cursor=${encodeURIComponent(cursor)}`)
      const items = json?.['items'] as { username: string }[]
      names.push(...items.map((item) => item.username))
      cursor = String(json?.['next_cursor'])
    } while (cursor)
    expect(names).toEqual(['Ada', 'Bob', 'carl', 'zoe'])
    expect(await api('GET', '/orgs/Acme/members/BOB')).toMatchObject({
      status: 200,
      json: { username: 'Bob' },
    })
    expect(await api('DELETE', '/orgs/Acme/members/bob')).toMatchObject({ status: 204 })
    expect(await api('GET', '/orgs/Acme/members/Bob')).toMatchObject({ status: 404 })
    expect(await api('PUT', '/orgs/Acme/members/Ada', token, { role: 'read' })).toMatchObject({
      status: 409,
      json: { code: 'last-admin' },
    })
    expect(await api('PUT', '/orgs/Acme/members/zoe', token, { role: 'owner' })).toMatchObject({
      status: 422,
    })
  })

  test('a README is written, checked against what was seen, and removed', async () => {
    const put = (body: unknown, bearer = token) => api('PUT', '/namespaces/acme/readme', bearer, body)
    expect(await api('GET', '/namespaces/acme/readme')).toMatchObject({ status: 200, json: { text: '' } })
    expect(await put({ text: '# We', seen: '' })).toMatchObject({ status: 200, json: { text: '# We' } })
    expect(await api('GET', '/namespaces/Acme/readme', stranger)).toMatchObject({ json: { text: '# We' } })
    expect(await put({ text: 'late', seen: '' })).toMatchObject({
      status: 409,
      json: { code: 'state-conflict' },
    })
    expect(await put({ text: 'mine' }, stranger)).toMatchObject({ status: 403 })
    expect(await put({ text: 'é'.repeat(32_769) })).toMatchObject({ status: 422 })
    expect(await put({ text: '' })).toMatchObject({ status: 200, json: { text: '' } })
    expect((await api('GET', '/namespaces/acme/readme')).json).toEqual({ text: '' })
    const { audit } = world.db.t
    expect(await world.db.q.$count(audit, eq(audit.action, 'readme.set'))).toBe(2)
  })

  describe('avatars', () => {
    test('are pictures that can do nothing', async () => {
      const { status, headers, text } = await call(world, 'GET', '/avatars/acme.svg', token)
      expect(status).toBe(200)
      expect(text).toMatch(/^<svg /)
      expect(headers.get('content-type')).toBe('image/svg+xml')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-disposition')).toBe('attachment; filename="Acme.svg"')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('cache-control')).toBe('private, no-store')
    })

    test('are hidden from the anonymous as profiles are', async () => {
      for (const name of ['acme', 'nobody'])
        expect(await call(world, 'GET', `/avatars/${name}.svg`)).toMatchObject({ status: 401 })
      const { status, headers } = await call(open(), 'GET', '/avatars/acme.svg')
      expect({ status, cache: headers.get('cache-control') }).toEqual({
        status: 200,
        cache: 'public, max-age=300',
      })
      expect(await call(open(), 'GET', '/avatars/nobody.svg')).toMatchObject({ status: 404 })
    })

    test('that were uploaded have an address that never changes, and can do nothing either', async () => {
      const put = (body: unknown, type?: string, bearer = token) =>
        call(world, 'PUT', `${base}/namespaces/acme/avatar`, bearer, body, type)
      expect(await put(png, 'image/png')).toMatchObject({
        status: 200,
        json: { ns: 'Acme', has_avatar: true, avatar_url: '/avatars/Acme.svg' },
      })
      const lead = await call(world, 'GET', '/avatars/acme.svg', token)
      expect({ status: lead.status, caching: lead.headers.get('cache-control') }).toEqual({
        status: 302,
        caching: 'private, no-store',
      })
      const at = lead.headers.get('location') ?? ''
      const { status, headers, text } = await call(world, 'GET', at, token)
      expect({ status, text }).toEqual({ status: 200, text: png.toString() })
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as unknown,
        'cache-control': 'private, max-age=31536000, immutable',
      })
      expect(await call(world, 'GET', at.replace('.png', '.webp'), token)).toMatchObject({ status: 404 })
      expect(await call(world, 'GET', at)).toMatchObject({ status: 401 })
      expect((await call(open(), 'GET', at)).headers.get('cache-control')).toBe(
        'public, max-age=31536000, immutable',
      )
      expect(await put(png, 'image/png', stranger)).toMatchObject({ status: 403 })
      expect(await put({}, 'application/json')).toMatchObject({ status: 415 })
      expect(await put(Buffer.from('<svg/> and more'), 'image/png')).toMatchObject({ status: 415 })
      expect(await put(Buffer.from('GIF89a and the rest'), 'image/gif')).toMatchObject({ status: 415 })
      const remove = () => call(world, 'DELETE', `${base}/namespaces/acme/avatar`, token)
      expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
      expect(await call(world, 'GET', '/avatars/acme.svg', token)).toMatchObject({ status: 200 })
      expect(await call(world, 'GET', at, token)).toMatchObject({ status: 404 })
    })
  })
})
