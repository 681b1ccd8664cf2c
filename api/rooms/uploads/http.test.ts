import { expect, test } from 'vitest'
import { add, givenCommit } from '../content/testing.ts'
import { givenContent, objectRow, storedKeys, type Content } from '../../core/lfs/testing.ts'
import { eachStore, givenUser } from '../../testing.ts'
import { bearerOf, givenObject, givenRepo } from './testing.ts'
import {
  fileOf,
  nativeUploads,
  UploadSite,
  type PlannedFile,
  type PlannedUpload,
} from './testing/upload-site.ts'

const MiB = 1024 * 1024

eachStore('uploads of the native API', (world) => {
  const site = new UploadSite(world)
  const put = async (url: string, bytes: Buffer, headers: Record<string, string> = {}) =>
    site.put(url, bytes, { ...site.mine, ...headers })
  const send = async (content: Content, upload: PlannedUpload) =>
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
      await givenObject(world, site.owner, site.repo, givenContent(11 * MiB)),
    ]
    const files = [
      fileOf(small, 'a.txt'),
      fileOf(empty, 'empty.safetensors'),
      fileOf(small, 'tiny.safetensors'),
      fileOf(large, 'b.txt'),
      fileOf(have, 'c.bin'),
    ]
    const answers = await site.plan(files)
    expect(answers.map(({ path, mode }) => [path, mode])).toEqual([
      ['a.txt', 'inline'],
      ['empty.safetensors', 'inline'],
      ['tiny.safetensors', 'upload'],
      ['b.txt', 'upload'],
      ['c.bin', 'skip'],
    ])
  })

  test('a reader plans files for a pull request, new or named, and none for a branch', async () => {
    const owner = await givenUser(world, 'maker')
    const at = await givenRepo(world, owner, 'read', { visibility: 'public' })
    await givenCommit(world, owner, at, [add('README.md', '# Read')])
    const headers = await bearerOf(world, await givenUser(world, 'reader'))
    const path = `/api/service/v1/repos/models/${at.ns}/${at.name}/uploads`
    const files = [fileOf(givenContent(10), 'a.txt')]
    const ask = async (more = {}) => (await site.call('POST', path, { files, ...more }, headers)).status
    expect(await ask({ revision: 'main' })).toBe(403)
    expect(await ask()).toBe(403)
    expect(await ask({ revision: 'main', create_pull_request: true })).toBe(200)
    expect(await ask({ revision: 'refs/pr/1' })).toBe(404)
  })

  test('an object the caller may not use is planned as an upload, and its bytes bring a grant but no copy', async () => {
    const hidden = await givenRepo(world, site.owner, 'hidden')
    const content = await givenObject(world, site.owner, hidden, givenContent(11 * MiB))
    const key = (await objectRow(world, content.sha256))?.key
    const space = await givenUser(world, 'copycat')
    const at = await givenRepo(world, space, 'mine')
    const headers = await bearerOf(world, space)
    const path = `/api/service/v1/repos/models/${at.ns}/${at.name}/uploads`
    const ask = async () =>
      (await site.call('POST', path, { files: [fileOf(content)] }, headers)).body['files'] as PlannedFile[]
    const [planned] = await ask()
    expect(planned?.mode).toBe('upload')
    const url = planned?.upload?.parts[0]?.url ?? ''
    const etag = (await put(url, content.bytes, headers)).headers.get('etag')
    const complete = await site.call(
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
    const upload = await site.opened(content)
    expect(upload.parts.map(({ n }) => n)).toEqual([1, 2, 3])
    await put(upload.parts[1]?.url ?? '', content.bytes.subarray(16 * MiB, 32 * MiB))
    const resumed = await site.opened(content)
    expect(resumed.id).toBe(upload.id)
    expect((await site.call('GET', `${nativeUploads}/${upload.id}`)).body).toMatchObject({
      id: upload.id,
      path: 'model.bin',
      status: 'open',
      size: content.sizeBytes,
      parts: [{ n: 2, size: 16 * MiB }],
      bytes_received: 16 * MiB,
    })
    const parts = await send(content, { ...resumed, parts: resumed.parts.filter(({ n }) => n !== 2) })
    const early = await site.call('POST', upload.complete_url, { parts })
    expect([early.status, early.body['errors']]).toEqual([
      422,
      [expect.objectContaining({ field: 'parts.2', code: 'required' })],
    ])
    const all = [...parts, ...(await send(content, { ...resumed, parts: resumed.parts.slice(1, 2) }))]
    for (let i = 0; i < 2; i++) {
      const done = await site.call('POST', upload.complete_url, { parts: all })
      expect([done.status, done.body['status'], done.body['bytes_received']]).toEqual([
        200,
        'complete',
        content.sizeBytes,
      ])
    }
    expect(await storedKeys(world, 'uploads/')).toEqual([])
    expect((await site.plan([fileOf(content)]))[0]?.mode).toBe('skip')
  })

  test('a part sent again replaces the one before', async () => {
    const content = givenContent(11 * MiB)
    const upload = await site.opened(content)
    const url = upload.parts[0]?.url ?? ''
    const wrong = givenContent(11 * MiB)
    const first = (await put(url, wrong.bytes)).headers.get('etag')
    const second = (await put(url, content.bytes)).headers.get('etag')
    expect(first).not.toBe(second)
    const stale = await site.call('POST', upload.complete_url, { parts: [{ n: 1, etag: first }] })
    expect([stale.status, stale.body['errors']]).toEqual([
      422,
      [expect.objectContaining({ field: 'parts.1', code: 'etag-mismatch' })],
    ])
    expect((await site.call('POST', upload.complete_url, { parts: [{ n: 1, etag: second }] })).status).toBe(
      200,
    )
    expect(await storedKeys(world, 'uploads/')).toEqual([])
  })

  test('wrong bytes end the upload with 422, again and again, and are gone', async () => {
    const content = givenContent(11 * MiB)
    const upload = await site.opened(content)
    const before = await storedKeys(world, 'lfs/')
    const parts = await send({ ...content, bytes: givenContent(11 * MiB).bytes }, upload)
    for (let i = 0; i < 2; i++) {
      const done = await site.call('POST', upload.complete_url, { parts })
      expect([done.status, done.body['code']]).toEqual([422, 'digest-mismatch'])
    }
    expect((await site.call('GET', `${nativeUploads}/${upload.id}`)).body['status']).toBe('aborted')
    expect(await storedKeys(world, 'uploads/')).toEqual([])
    expect(await storedKeys(world, 'lfs/')).toEqual(before)
    const late = await put(upload.parts[0]?.url ?? '', content.bytes)
    expect(late.status).toBe(409)
    expect((await site.opened(content)).id).not.toBe(upload.id)
  })
})
