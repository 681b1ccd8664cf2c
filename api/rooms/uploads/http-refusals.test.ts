import { expect, test } from 'vitest'
import { givenContent } from '../../core/lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import { givenRepo } from './testing.ts'
import { fileOf, nativeUploads, UploadSite } from './testing/upload-site.ts'

const MiB = 1024 * 1024

eachDatabase('refusals of native uploads', (world) => {
  const site = new UploadSite(world)

  test('an upload belongs to its maker and its repo alone', async () => {
    const upload = await site.opened(givenContent(11 * MiB))
    await givenRepo(world, site.owner, 'second')
    const paths = [
      ['GET', `${nativeUploads}/${upload.id}`, site.theirs],
      ['POST', `${nativeUploads}/${upload.id}/complete`, site.theirs],
      [
        'PUT',
        `${nativeUploads}/${upload.id}/parts/1`,
        { ...site.theirs, 'Content-Type': 'application/octet-stream' },
      ],
      ['GET', `${nativeUploads.replace('tiny', 'second')}/${upload.id}`, site.mine],
      ['GET', `${nativeUploads}/00000000-0000-7000-8000-000000000000`, site.mine],
      ['GET', `${nativeUploads}/..`, site.mine],
    ] as const
    for (const [method, path, headers] of paths) {
      const body = method === 'POST' ? { parts: [] } : method === 'PUT' ? 'x' : undefined
      expect((await site.call(method, path, body, headers)).status, `${method} ${path}`).toBe(404)
    }
    expect((await site.call('GET', `${nativeUploads}/${upload.id}`, undefined, {})).status).toBe(401)
  })

  test('rights: readers plan nothing for a branch, hidden repos are absent', async () => {
    const body = { files: [fileOf(givenContent())] }
    expect((await site.call('POST', nativeUploads, body, site.theirs)).status).toBe(403)
    const hidden = nativeUploads.replace('tiny', 'unseen')
    await givenRepo(world, site.owner, 'unseen')
    const text = async (path: string) => {
      const { status, body: answer } = await site.call('POST', path, body, site.theirs)
      return [status, answer['code'], answer['detail']]
    }
    expect(await text(hidden)).toEqual(await text(nativeUploads.replace('tiny', 'absent')))
    expect((await text(hidden))[0]).toBe(404)
    expect((await site.call('POST', nativeUploads, body, {})).status).toBe(401)
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
    const { status } = await site.call('POST', nativeUploads, body)
    expect(status).toBe(422)
  })

  test('a plan for a revision that does not exist is 404', async () => {
    const answer = await site.call('POST', nativeUploads, { files: [good], revision: 'nowhere' })
    expect([answer.status, answer.body['code']]).toEqual([404, 'revision-not-found'])
  })

  test('a part needs its media type, its number and its length', async () => {
    const content = givenContent(20 * MiB)
    const { parts } = await site.opened(content)
    const url = parts[1]?.url ?? ''
    expect(
      (await site.put(url, content.bytes.subarray(16 * MiB), { ...site.mine, 'Content-Type': 'text/plain' }))
        .status,
    ).toBe(415)
    expect((await site.put(url, content.bytes, site.mine)).status).toBe(422)
    for (const n of ['0', '10001', '-1', 'x', '1.5', '3'])
      expect((await site.put(url.replace(/2$/, n), content.bytes, site.mine)).status, n).toBe(404)
    expect((await site.put(url, content.bytes.subarray(16 * MiB), site.mine)).status).toBe(200)
  })
})
