import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import type { App } from '../http/env.ts'
import type { Repo } from '../repos/index.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../testing.ts'
import { mountUploads } from './handlers.ts'
import { givenContent, givenObject, givenRepo, objectRow, storedKeys, type Content } from './testing.ts'

const MiB = 1024 * 1024
interface Planned {
  path: string
  mode: string
  upload?: { id: string; part_size: number; parts: { n: number; url: string }[]; complete_url: string }
}

eachDatabase('uploads of the native API', (world) => {
  let app: App
  let owner: UserActor
  let repo: Repo
  let mine: Record<string, string>
  let theirs: Record<string, string>
  beforeAll(async () => {
    app = appOf(world, { native: [mountUploads] })
    owner = await givenUser(world, 'owner')
    repo = await givenRepo(world, owner, 'tiny', { visibility: 'public' })
    mine = { Authorization: `Bearer ${(await givenToken(world, owner)).secret}` }
    const other = await givenUser(world, 'other')
    theirs = { Authorization: `Bearer ${(await givenToken(world, other)).secret}` }
  })
  const base = '/api/service/v1/repos/models/owner/tiny/uploads'
  const call = async (method: string, path: string, body?: unknown, headers = mine) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await app.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...init,
    })
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, unknown>,
    }
  }
  const file = (content: Content, path = 'model.bin') => ({
    path,
    size: content.sizeBytes,
    sha256: content.sha256,
  })
  async function plan(files: object[], headers = mine): Promise<Planned[]> {
    const { status, body } = await call('POST', base, { files }, headers)
    expect(status).toBe(200)
    return body['files'] as Planned[]
  }
  const put = async (url: string, bytes: Buffer, headers: Record<string, string> = {}) =>
    app.request(url, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream', ...mine, ...headers },
      body: bytes,
    })
  async function opened(content: Content) {
    const [planned] = await plan([file(content)])
    if (!planned?.upload) throw new Error('nothing to upload')
    return planned.upload
  }
  const send = async (content: Content, upload: { part_size: number; parts: { n: number; url: string }[] }) =>
    Promise.all(
      upload.parts.map(async ({ n, url }) => {
        const answer = await put(
          url,
          content.bytes.subarray((n - 1) * upload.part_size, n * upload.part_size),
        )
        expect(answer.status).toBe(200)
        expect(await answer.json()).toMatchObject({ n })
        return { n, etag: answer.headers.get('etag') ?? '' }
      }),
    )

  test('small files go inline, marked and large ones are uploaded, one’s own objects are skipped', async () => {
    const [small, empty, large, have] = [
      givenContent(10),
      givenContent(0),
      givenContent(11 * MiB),
      await givenObject(world, owner, repo, givenContent(11 * MiB)),
    ]
    const files = [
      file(small, 'a.txt'),
      file(empty, 'empty.safetensors'),
      file(small, 'tiny.safetensors'),
      file(large, 'b.txt'),
      file(have, 'c.bin'),
    ]
    const answers = await plan(files)
    expect(answers.map(({ path, mode }) => [path, mode])).toEqual([
      ['a.txt', 'inline'],
      ['empty.safetensors', 'inline'],
      ['tiny.safetensors', 'upload'],
      ['b.txt', 'upload'],
      ['c.bin', 'skip'],
    ])
  })

  test('an object the caller may not use is planned as an upload, and its bytes bring a grant but no copy', async () => {
    const hidden = await givenRepo(world, owner, 'hidden')
    const content = await givenObject(world, owner, hidden, givenContent(11 * MiB))
    const key = (await objectRow(world, content.sha256))?.key
    await call('POST', '/api/service/v1/repos/models/owner/tiny/uploads', { files: [file(content)] }, theirs)
    const space = await givenUser(world, 'copycat')
    const at = await givenRepo(world, space, 'mine')
    const headers = { Authorization: `Bearer ${(await givenToken(world, space)).secret}` }
    const path = `/api/service/v1/repos/models/${at.ns}/mine/uploads`
    const ask = async () =>
      (await call('POST', path, { files: [file(content)] }, headers)).body['files'] as Planned[]
    const [planned] = await ask()
    expect(planned?.mode).toBe('upload')
    const url = planned?.upload?.parts[0]?.url ?? ''
    const etag = (await put(url, content.bytes, headers)).headers.get('etag')
    const complete = await call(
      'POST',
      planned?.upload?.complete_url ?? '',
      { parts: [{ n: 1, etag }] },
      headers,
    )
    expect(complete.status).toBe(200)
    expect((await ask())[0]?.mode).toBe('skip')
    expect((await objectRow(world, content.sha256))?.key).toBe(key)
  })

  test('parts, an interruption, a resume by the plan or the id, a completion that may be repeated', async () => {
    const content = givenContent(40 * MiB)
    const upload = await opened(content)
    expect(upload.parts.map(({ n }) => n)).toEqual([1, 2, 3])
    await put(upload.parts[1]?.url ?? '', content.bytes.subarray(16 * MiB, 32 * MiB))
    const resumed = await opened(content)
    expect(resumed.id).toBe(upload.id)
    expect((await call('GET', `${base}/${upload.id}`)).body).toMatchObject({
      id: upload.id,
      path: 'model.bin',
      status: 'open',
      size: content.sizeBytes,
      parts: [{ n: 2, size: 16 * MiB }],
      bytes_received: 16 * MiB,
    })
    const parts = await send(content, { ...resumed, parts: resumed.parts.filter(({ n }) => n !== 2) })
    const early = await call('POST', upload.complete_url, { parts })
    expect([early.status, early.body['errors']]).toEqual([
      422,
      [expect.objectContaining({ field: 'parts.2', code: 'required' })],
    ])
    const all = [...parts, ...(await send(content, { ...resumed, parts: resumed.parts.slice(1, 2) }))]
    for (let i = 0; i < 2; i++) {
      const done = await call('POST', upload.complete_url, { parts: all })
      expect([done.status, done.body['status'], done.body['bytes_received']]).toEqual([
        200,
        'complete',
        content.sizeBytes,
      ])
    }
    expect(await storedKeys(world, 'uploads/')).toEqual([])
    expect((await plan([file(content)]))[0]?.mode).toBe('skip')
  })

  test('a part sent again replaces the one before', async () => {
    const content = givenContent(11 * MiB)
    const upload = await opened(content)
    const url = upload.parts[0]?.url ?? ''
    const wrong = givenContent(11 * MiB)
    const first = (await put(url, wrong.bytes)).headers.get('etag')
    const second = (await put(url, content.bytes)).headers.get('etag')
    expect(first).not.toBe(second)
    const stale = await call('POST', upload.complete_url, { parts: [{ n: 1, etag: first }] })
    expect([stale.status, stale.body['errors']]).toEqual([
      422,
      [expect.objectContaining({ field: 'parts.1', code: 'etag-mismatch' })],
    ])
    expect((await call('POST', upload.complete_url, { parts: [{ n: 1, etag: second }] })).status).toBe(200)
    expect(await storedKeys(world, 'uploads/')).toEqual([])
  })

  test('wrong bytes end the upload with 422, again and again, and are gone', async () => {
    const content = givenContent(11 * MiB)
    const upload = await opened(content)
    const before = await storedKeys(world, 'lfs/')
    const parts = await send({ ...content, bytes: givenContent(11 * MiB).bytes }, upload)
    for (let i = 0; i < 2; i++) {
      const done = await call('POST', upload.complete_url, { parts })
      expect([done.status, done.body['code']]).toEqual([422, 'digest-mismatch'])
    }
    expect((await call('GET', `${base}/${upload.id}`)).body['status']).toBe('aborted')
    expect(await storedKeys(world, 'uploads/')).toEqual([])
    expect(await storedKeys(world, 'lfs/')).toEqual(before)
    const late = await put(upload.parts[0]?.url ?? '', content.bytes)
    expect(late.status).toBe(409)
    expect((await opened(content)).id).not.toBe(upload.id)
  })

  test('an upload belongs to its maker and its Repo alone', async () => {
    const upload = await opened(givenContent(11 * MiB))
    await givenRepo(world, owner, 'second')
    const paths = [
      ['GET', `${base}/${upload.id}`, theirs],
      ['POST', `${base}/${upload.id}/complete`, theirs],
      ['PUT', `${base}/${upload.id}/parts/1`, { ...theirs, 'Content-Type': 'application/octet-stream' }],
      ['GET', `${base.replace('tiny', 'second')}/${upload.id}`, mine],
      ['GET', `${base}/00000000-0000-7000-8000-000000000000`, mine],
      ['GET', `${base}/..`, mine],
    ] as const
    for (const [method, path, headers] of paths) {
      const body = method === 'POST' ? { parts: [] } : method === 'PUT' ? 'x' : undefined
      expect((await call(method, path, body, headers)).status, `${method} ${path}`).toBe(404)
    }
    expect((await call('GET', `${base}/${upload.id}`, undefined, {})).status).toBe(401)
  })

  test('rights: readers plan nothing for a branch, hidden Repos are absent', async () => {
    const body = { files: [file(givenContent())] }
    expect((await call('POST', base, body, theirs)).status).toBe(403)
    const hidden = base.replace('tiny', 'unseen')
    await givenRepo(world, owner, 'unseen')
    const text = async (path: string) => {
      const { status, body: answer } = await call('POST', path, body, theirs)
      return [status, answer['code'], answer['detail']]
    }
    expect(await text(hidden)).toEqual(await text(base.replace('tiny', 'absent')))
    expect((await text(hidden))[0]).toBe(404)
    expect((await call('POST', base, body, {})).status).toBe(401)
  })

  const good = { path: 'a', size: 1, sha256: 'a'.repeat(64) }
  test.each([
    ['no files', { files: [] }],
    ['too many files', { files: Array.from({ length: 1001 }, () => good) }],
    ['an unknown field', { files: [good], x: 1 }],
    ['an unknown field of a file', { files: [{ ...good, x: 1 }] }],
    ['an upper-case SHA-256', { files: [{ ...good, sha256: 'A'.repeat(64) }] }],
    ['a short SHA-256', { files: [{ ...good, sha256: 'a' }] }],
    ['a negative size', { files: [{ ...good, size: -1 }] }],
    ['a broken size', { files: [{ ...good, size: 0.5 }] }],
    ['a size beyond every store', { files: [{ ...good, size: 2 ** 52 }] }],
    ['an empty path', { files: [{ ...good, path: '' }] }],
    ['a path that climbs', { files: [{ ...good, path: '../a' }] }],
    ['a path into .git', { files: [{ ...good, path: '.git/config' }] }],
    ['a path with NUL', { files: [{ ...good, path: 'a\0b' }] }],
    ['a body that is no object', []],
  ])('a plan with %s is 422', async (_, body) => {
    const { status } = await call('POST', base, body)
    expect(status).toBe(422)
  })

  test('a plan for a revision that does not exist is 404', async () => {
    const answer = await call('POST', base, { files: [good], revision: 'nowhere' })
    expect([answer.status, answer.body['code']]).toEqual([404, 'revision-not-found'])
  })

  test('a part needs its media type, its number and its length', async () => {
    const content = givenContent(20 * MiB)
    const { parts } = await opened(content)
    const url = parts[1]?.url ?? ''
    expect((await put(url, content.bytes.subarray(16 * MiB), { 'Content-Type': 'text/plain' })).status).toBe(
      415,
    )
    expect((await put(url, content.bytes)).status).toBe(422)
    for (const n of ['0', '10001', '-1', 'x', '1.5', '3'])
      expect((await put(url.replace(/2$/, n), content.bytes)).status, n).toBe(404)
    expect((await put(url, content.bytes.subarray(16 * MiB))).status).toBe(200)
  })
})
