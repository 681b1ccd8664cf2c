import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { App } from '../http/env.ts'
import { hubErrorResponse } from '../hub/errors.ts'
import { isHubPath } from '../hub/paths.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../testing.ts'
import type { BatchResponse } from './batch.ts'
import { mountLfs } from './lfs-handlers.ts'
import {
  contentOf,
  givenContent,
  givenLink,
  givenRepo,
  hours,
  objectRow,
  pass,
  storedKeys,
  type Content,
} from './testing.ts'

const MiB = 1024 * 1024
const json = 'application/vnd.git-lfs+json'

eachDatabase('LFS over HTTP', (world) => {
  let app: App
  let owner: UserActor
  let bearer: Record<string, string>
  let stranger: Record<string, string>
  beforeAll(async () => {
    app = appOf(world, { root: [mountLfs] }, [{ owns: isHubPath, render: hubErrorResponse }])
    owner = await givenUser(world, 'owner')
    await givenRepo(world, owner, 'tiny')
    bearer = { Authorization: `Bearer ${(await givenToken(world, owner)).secret}` }
    const other = await givenUser(world, 'stranger')
    stranger = { Authorization: `Bearer ${(await givenToken(world, other)).secret}` }
  })

  const post = (url: string, body: unknown, headers: Record<string, string> = bearer) =>
    app.request(url, {
      method: 'POST',
      headers: { 'Content-Type': json, ...headers },
      body: JSON.stringify(body),
    })
  const put = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
    app.request(url, { method: 'PUT', headers: { 'Content-Length': String(body.length), ...headers }, body })
  const lfs = '/owner/tiny.git/info/lfs'
  const asked = ({ sha256, sizeBytes }: Content) => ({ oid: sha256, size: sizeBytes })

  async function plan(content: Content, more = {}, operation = 'upload') {
    const body = { operation, objects: [asked(content)], ref: { name: 'main' }, ...more }
    const answer = await post(`${lfs}/objects/batch`, body)
    expect(answer.status).toBe(200)
    const { objects, transfer } = (await answer.json()) as BatchResponse
    return { transfer, ...objects[0] }
  }
  const actionOf = async (content: Content, name: string, operation = 'upload') =>
    (await plan(content, {}, operation)).actions?.[name]?.href ?? ''

  test.each(['/owner/tiny.git/info/lfs', '/owner/tiny/info/lfs', '/models/owner/tiny.git/info/lfs'])(
    'the batch is found at %s',
    async (base) => {
      const answer = await post(`${base}/objects/batch`, { operation: 'download', objects: [] })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain(json)
    },
  )

  test('datasets have their own address; a model is not found there', async () => {
    await givenRepo(world, owner, 'rows', { type: 'dataset' })
    const at = (base: string) => post(`${base}/objects/batch`, { operation: 'download', objects: [] })
    expect((await at('/datasets/owner/rows.git/info/lfs')).status).toBe(200)
    expect((await at('/datasets/owner/tiny.git/info/lfs')).status).toBe(404)
  })

  test.each(['sha256', 'sha_256', undefined])('hash_algo %s is understood', async (hash_algo) => {
    const body = { operation: 'upload', objects: [asked(givenContent())], hash_algo }
    expect((await post(`${lfs}/objects/batch`, body)).status).toBe(200)
  })

  test.each([
    ['no JSON', 'x', 400],
    ['no object', '[]', 422],
    ['an unknown operation', '{"operation":"delete","objects":[]}', 422],
    ['another hash', '{"operation":"upload","objects":[],"hash_algo":"md5"}', 422],
    ['an object that is none', '{"operation":"upload","objects":[7]}', 422],
    ['a size in words', '{"operation":"upload","objects":[{"oid":"a","size":"1"}]}', 422],
    ['too large a body', `{"operation":"upload","x":"${'x'.repeat(4 * MiB)}"}`, 413],
  ])('a batch with %s is refused', async (_, body, status) => {
    const answer = await app.request(`${lfs}/objects/batch`, { method: 'POST', headers: bearer, body })
    expect(answer.status).toBe(status)
    const { message, error, request_id } = (await answer.json()) as Record<string, string>
    expect([typeof message, error, request_id]).toEqual([
      'string',
      message,
      answer.headers.get('x-request-id'),
    ])
  })

  test('an upload: put without credentials, verify, then download', async () => {
    const content = givenContent(3 * MiB + 1)
    const planned = await plan(content)
    const verify = planned.actions?.['verify']?.href ?? ''
    expect((await post(verify, asked(content), {})).status).toBe(404)
    expect((await put(planned.actions?.['upload']?.href ?? '', content.bytes)).status).toBe(200)
    expect((await post(verify, asked(content), {})).status).toBe(200)
    expect((await post(verify, { ...asked(content), size: 1 }, {})).status).toBe(422)
    expect(await plan(content)).toEqual({ transfer: 'basic', ...asked(content) })
    const href = await actionOf(content, 'download', 'download')
    const answer = await app.request(href)
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.bytes)).toBe(true)
    const part = await app.request(href, { headers: { Range: 'bytes=1048570-1048579' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 1048570-1048579/${content.sizeBytes}`,
    ])
    expect(Buffer.from(await part.arrayBuffer()).equals(content.bytes.subarray(1048570, 1048580))).toBe(true)
    expect((await app.request(href, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(content.sizeBytes),
    )
  })

  test('the bytes go straight to their final key, and an empty object is one too', async () => {
    const empty = contentOf(Buffer.alloc(0))
    expect((await put(await actionOf(empty, 'upload'), empty.bytes)).status).toBe(200)
    const row = await objectRow(world, empty.sha256)
    expect(row).toMatchObject({ size: 0, unreferenced_since: null })
    expect(await storedKeys(world, `lfs/${empty.sha256.slice(0, 2)}/`)).toEqual([row?.key])
    expect((await app.request(await actionOf(empty, 'download', 'download'))).status).toBe(200)
  })

  test('verify works with the bearer too, and tells a stranger nothing', async () => {
    const content = givenContent()
    await put(await actionOf(content, 'upload'), content.bytes)
    expect((await post(`${lfs}/verify`, asked(content))).status).toBe(200)
    expect((await post(`${lfs}/verify`, asked(content), stranger)).status).toBe(404)
    expect((await post(`${lfs}/verify`, asked(content), {})).status).toBe(401)
    expect((await post(`${lfs}/verify`, { oid: 'x', size: 1 })).status).toBe(422)
  })

  test('wrong bytes are refused and nothing of them is kept', async () => {
    const before = await storedKeys(world)
    const content = givenContent(2 * MiB)
    const url = await actionOf(content, 'upload')
    const wrong = Buffer.from(content.bytes)
    wrong[7] = (wrong[7] ?? 0) ^ 1
    expect((await put(url, wrong)).status).toBe(422)
    expect((await put(url, content.bytes.subarray(1))).status).toBe(422)
    // Without a length in the header the difference shows at the end.
    const chunked = (bytes: Buffer) =>
      app.request(url, { method: 'PUT', body: new Blob([bytes]).stream(), duplex: 'half' } as RequestInit)
    expect((await chunked(content.bytes.subarray(1))).status).toBe(422)
    expect((await chunked(Buffer.concat([content.bytes, wrong]))).status).toBe(422)
    expect(await storedKeys(world)).toEqual(before)
    expect(await objectRow(world, content.sha256)).toBeUndefined()
    expect((await chunked(content.bytes)).status).toBe(200)
  })

  test('a repeated put is accepted and adds no second object', async () => {
    const content = givenContent()
    const url = await actionOf(content, 'upload')
    const statuses = await Promise.all([
      put(url, content.bytes),
      put(url, content.bytes),
      put(url, content.bytes),
    ])
    expect(statuses.map((answer) => answer.status)).toEqual([200, 200, 200])
    const row = await objectRow(world, content.sha256)
    const { blob_deletions: d } = world.db.t
    const doomed = (await world.db.q.select().from(d)).map(({ key }) => key)
    const keys = await storedKeys(world, `lfs/${content.sha256.slice(0, 2)}/${content.sha256.slice(2, 4)}/`)
    expect(keys.filter((key) => !doomed.includes(key))).toEqual([row?.key])
  })

  test.each([
    ['another oid', (url: string) => url.replace(/objects\/[0-9a-f]{64}/, `objects/${'b'.repeat(64)}`)],
    ['another user', (url: string) => url.replace(/user=[^&]+/, 'user=00000000-0000-7000-8000-000000000000')],
    ['another Repo', (url: string) => url.replace(/repo=[^&]+/, 'repo=00000000-0000-7000-8000-000000000000')],
    ['a longer life', (url: string) => url.replace(/exp=\d+/, 'exp=9999999999')],
    ['no signature', (url: string) => url.replace(/[?&]sig=[^&]+/, '')],
  ])('a link changed to %s is refused', async (_, change) => {
    const content = givenContent()
    const url = await actionOf(content, 'upload')
    expect((await put(change(url), content.bytes)).status).toBe(403)
    expect(await objectRow(world, content.sha256)).toBeUndefined()
  })

  test('an upload link expires', async () => {
    const content = givenContent()
    const url = await actionOf(content, 'upload')
    pass(world, hours(24))
    expect((await put(url, content.bytes)).status).toBe(403)
  })

  test('a link of another method does not read: the upload link gives no bytes away', async () => {
    const content = givenContent()
    const url = await actionOf(content, 'upload')
    await put(url, content.bytes)
    expect((await app.request(url)).status).toBe(403)
  })

  async function parts(content: Content) {
    const { actions, transfer } = await plan(content, { transfers: ['basic', 'multipart'] })
    expect(transfer).toBe('multipart')
    const { chunk_size, ...urls } = actions?.['upload']?.header ?? {}
    return { href: actions?.['upload']?.href ?? '', size: Number(chunk_size), urls: Object.values(urls) }
  }

  test('multipart: parts in any order, a completion without credentials, twice', async () => {
    const content = givenContent(65 * MiB)
    const { href, size, urls } = await parts(content)
    const etags = new Map<number, string>()
    for (const n of [5, 1, 3, 2, 4]) {
      const answer = await put(urls[n - 1] ?? '', content.bytes.subarray((n - 1) * size, n * size))
      expect(answer.status).toBe(200)
      etags.set(n, answer.headers.get('etag') ?? '')
    }
    const sent = [...etags].map(([partNumber, etag]) => ({ partNumber, etag }))
    const complete = (body: unknown) => post(href, body, {})
    expect((await complete({ oid: 'f'.repeat(64), parts: sent })).status).toBe(422)
    expect((await complete({ parts: sent })).status).toBe(422)
    expect((await complete({ oid: content.sha256, parts: sent.slice(1) })).status).toBe(422)
    const done = await complete({ oid: content.sha256, parts: sent })
    expect([done.status, await done.json()]).toEqual([200, {}])
    expect((await complete({ oid: content.sha256, parts: sent })).status).toBe(200)
    const answer = await app.request(await actionOf(content, 'download', 'download'))
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.bytes)).toBe(true)
    expect(await storedKeys(world, 'uploads/')).toEqual([])
    // A part repeated after the end is no failure either.
    expect((await put(urls[0] ?? '', content.bytes.subarray(0, size))).status).toBe(200)
  })

  test('multipart: a part of the wrong length or number is refused', async () => {
    const content = givenContent(65 * MiB)
    const { urls, size } = await parts(content)
    expect((await put(urls[0] ?? '', content.bytes.subarray(0, size - 1))).status).toBe(422)
    expect(
      (await put((urls[0] ?? '').replace('/parts/1', '/parts/2'), content.bytes.subarray(0, size))).status,
    ).toBe(403)
  })

  test('a download needs this Repo: the link of another does not lend', async () => {
    const content = givenContent()
    await put(await actionOf(content, 'upload'), content.bytes)
    const other = await givenRepo(world, owner, 'other')
    const ask = async () => {
      const body = { operation: 'download', objects: [asked(content)] }
      const answer = await post('/owner/other.git/info/lfs/objects/batch', body)
      return ((await answer.json()) as BatchResponse).objects[0]?.error?.code
    }
    expect(await ask()).toBe(404)
    await givenLink(world, other, content)
    expect(await ask()).toBeUndefined()
  })

  test('locks are answered 404 in JSON, to anonymous callers 401 first', async () => {
    const lock = await post(`${lfs}/locks/verify`, {})
    expect([lock.status, lock.headers.get('content-type')]).toEqual([404, json])
    expect(await lock.json()).toMatchObject({ message: 'File locking is not supported' })
    expect((await app.request(`${lfs}/locks`, { headers: bearer })).status).toBe(404)
    const anonymous = await post(`${lfs}/locks/verify`, {}, {})
    expect([anonymous.status, anonymous.headers.get('lfs-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ])
  })

  test('anonymous callers get 401, whatever is there; a stranger cannot tell hidden from absent', async () => {
    const body = { operation: 'upload', objects: [asked(givenContent())] }
    const at = async (name: string, headers: Record<string, string>) => {
      const answer = await post(`/owner/${name}.git/info/lfs/objects/batch`, body, headers)
      const text = (await answer.json()) as Record<string, unknown>
      return [answer.status, { ...text, request_id: '' }]
    }
    expect(await at('tiny', {})).toEqual(await at('absent', {}))
    expect((await at('tiny', {}))[0]).toBe(401)
    expect(await at('tiny', stranger)).toEqual(await at('absent', stranger))
    expect((await at('tiny', stranger))[0]).toBe(404)
  })
})
