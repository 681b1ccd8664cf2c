import { expect, test } from 'vitest'
import { asked, givenContent } from '../../core/lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import type { BatchResponse } from '../../rooms/uploads/batch/batch.ts'
import { givenLink, givenRepo } from '../../rooms/uploads/testing.ts'
import { UploadSite } from '../../rooms/uploads/testing/upload-site.ts'

const MiB = 1024 * 1024
const json = 'application/vnd.git-lfs+json'

eachDatabase('LFS over HTTP', (world) => {
  const site = new UploadSite(world)
  const lfs = '/owner/tiny.git/info/lfs'

  test.each(['/owner/tiny.git/info/lfs', '/owner/tiny/info/lfs', '/models/owner/tiny.git/info/lfs'])(
    'the batch is found at %s',
    async (base) => {
      const answer = await site.post(`${base}/objects/batch`, { operation: 'download', objects: [] })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain(json)
    },
  )

  test('datasets have their own address; a model is not found there', async () => {
    await givenRepo(world, site.owner, 'rows', { type: 'dataset' })
    const at = (base: string) => site.post(`${base}/objects/batch`, { operation: 'download', objects: [] })
    expect((await at('/datasets/owner/rows.git/info/lfs')).status).toBe(200)
    expect((await at('/datasets/owner/tiny.git/info/lfs')).status).toBe(404)
  })

  test.each(['sha256', 'sha_256', undefined])('hash_algo %s is understood', async (hash_algo) => {
    const body = { operation: 'upload', objects: [asked(givenContent())], hash_algo }
    expect((await site.post(`${lfs}/objects/batch`, body)).status).toBe(200)
  })

  test.each([
    ['a ref without a name', { ref: {} }],
    ['a ref with an empty name', { ref: { name: '' } }],
    ['no ref', { ref: null }],
    ['no transfers', { transfers: null }],
    ['no hash_algo', { hash_algo: null }],
  ])('a batch with %s is taken', async (_, optional) => {
    const body = { operation: 'upload', objects: [asked(givenContent())], ...optional }
    const answer = await site.post(`${lfs}/objects/batch`, body)
    expect(answer.status).toBe(200)
    const { objects } = (await answer.json()) as BatchResponse
    expect(objects[0]?.actions?.['upload']?.href).toMatch(/^http/)
  })

  test.each([
    ['no JSON', 'x', 400],
    ['no object', '[]', 422],
    ['an unknown operation', '{"operation":"delete","objects":[]}', 422],
    ['another hash', '{"operation":"upload","objects":[],"hash_algo":"md5"}', 422],
    ['an object that is none', '{"operation":"upload","objects":[7]}', 422],
    ['a size in words', '{"operation":"upload","objects":[{"oid":"a","size":"1"}]}', 422],
    ['too large a body', `{"operation":"upload","x":"${'x'.repeat(64 * MiB)}"}`, 413],
  ])('a batch with %s is refused', async (_, body, status) => {
    const answer = await site.app.request(`${lfs}/objects/batch`, {
      method: 'POST',
      headers: site.mine,
      body,
    })
    expect(answer.status).toBe(status)
    const { message, error, request_id } = (await answer.json()) as Record<string, string>
    expect([typeof message, error, request_id]).toEqual([
      'string',
      message,
      answer.headers.get('x-request-id'),
    ])
  })

  test('a download needs this repo: the link of another does not lend', async () => {
    const content = givenContent()
    await site.put(await site.link(content, 'upload'), content.bytes)
    const other = await givenRepo(world, site.owner, 'other')
    const ask = async () => {
      const body = { operation: 'download', objects: [asked(content)] }
      const answer = await site.post('/owner/other.git/info/lfs/objects/batch', body)
      return ((await answer.json()) as BatchResponse).objects[0]?.error?.code
    }
    expect(await ask()).toBe(404)
    await givenLink(world, other, content)
    expect(await ask()).toBeUndefined()
  })

  test('locks are answered 404 in JSON, to anonymous callers 401 first', async () => {
    const lock = await site.post(`${lfs}/locks/verify`, {})
    expect([lock.status, lock.headers.get('content-type')]).toEqual([404, json])
    expect(await lock.json()).toMatchObject({ message: 'File locking is not supported' })
    expect((await site.app.request(`${lfs}/locks`, { headers: site.mine })).status).toBe(404)
    const anonymous = await site.post(`${lfs}/locks/verify`, {}, {})
    expect([anonymous.status, anonymous.headers.get('lfs-authenticate')]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ])
  })

  test('anonymous callers get 401, whatever is there; a stranger cannot tell hidden from absent', async () => {
    await givenRepo(world, site.owner, 'hidden')
    const body = { operation: 'upload', objects: [asked(givenContent())] }
    const at = async (name: string, headers: Record<string, string>) => {
      const answer = await site.post(`/owner/${name}.git/info/lfs/objects/batch`, body, headers)
      const text = (await answer.json()) as Record<string, unknown>
      return [answer.status, { ...text, request_id: '' }]
    }
    expect(await at('hidden', {})).toEqual(await at('absent', {}))
    expect((await at('hidden', {}))[0]).toBe(401)
    expect(await at('hidden', site.theirs)).toEqual(await at('absent', site.theirs))
    expect((await at('hidden', site.theirs))[0]).toBe(404)
  })
})
