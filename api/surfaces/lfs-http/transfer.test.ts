import { expect, test } from 'vitest'
import { eachStore } from '../../testing.ts'
import {
  asked,
  contentOf,
  givenContent,
  hours,
  objectRow,
  pass,
  storedKeys,
  type Content,
} from '../../core/lfs/testing.ts'
import { UploadSite } from '../../rooms/uploads/testing/upload-site.ts'

const MiB = 1024 * 1024
const absentId = '00000000-0000-7000-8000-000000000000'

eachStore('LFS transfers', (world) => {
  const site = new UploadSite(world)
  const lfs = '/owner/tiny.git/info/lfs'

  test('an upload: put without credentials, verify, then download', async () => {
    const content = givenContent(3 * MiB + 1)
    const planned = await site.batch(content)
    const verify = planned.actions?.['verify']?.href ?? ''
    expect((await site.post(verify, asked(content), {})).status).toBe(404)
    expect((await site.put(planned.actions?.['upload']?.href ?? '', content.bytes)).status).toBe(200)
    expect((await site.post(verify, asked(content), {})).status).toBe(200)
    expect((await site.post(verify, { ...asked(content), size: 1 }, {})).status).toBe(422)
    expect(await site.batch(content)).toEqual({ transfer: 'basic', ...asked(content) })
    const href = await site.link(content, 'download')
    const answer = await site.app.request(href)
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.bytes)).toBe(true)
    const part = await site.app.request(href, { headers: { Range: 'bytes=1048570-1048579' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 1048570-1048579/${content.sizeBytes}`,
    ])
    expect(Buffer.from(await part.arrayBuffer()).equals(content.bytes.subarray(1048570, 1048580))).toBe(true)
    expect((await site.app.request(href, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(content.sizeBytes),
    )
  })

  test('the bytes go straight to their final key, and an empty object is one too', async () => {
    const empty = contentOf(Buffer.alloc(0))
    expect((await site.put(await site.link(empty, 'upload'), empty.bytes)).status).toBe(200)
    const row = await objectRow(world, empty.sha256)
    expect(row).toMatchObject({ size: 0, unreferenced_since: null })
    // By the whole hash: other content of the suite may begin alike.
    const { sha256 } = empty
    const keys = await storedKeys(world, `lfs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.`)
    expect(keys).toEqual([row?.key])
    expect((await site.app.request(await site.link(empty, 'download'))).status).toBe(200)
  })

  test('verify works with the bearer too, and tells a stranger nothing', async () => {
    const content = givenContent()
    await site.put(await site.link(content, 'upload'), content.bytes)
    expect((await site.post(`${lfs}/verify`, asked(content))).status).toBe(200)
    expect((await site.post(`${lfs}/verify`, asked(content), site.theirs)).status).toBe(404)
    expect((await site.post(`${lfs}/verify`, asked(content), {})).status).toBe(401)
    expect((await site.post(`${lfs}/verify`, { oid: 'x', size: 1 })).status).toBe(422)
  })

  test('wrong bytes are refused and nothing of them is kept', async () => {
    const before = await storedKeys(world)
    const content = givenContent(2 * MiB)
    const url = await site.link(content, 'upload')
    const wrong = Buffer.from(content.bytes)
    wrong[7] = (wrong[7] ?? 0) ^ 1
    expect((await site.put(url, wrong)).status).toBe(422)
    expect((await site.put(url, content.bytes.subarray(1))).status).toBe(422)
    // Without a length in the header the difference shows at the end.
    const chunked = (bytes: Buffer) =>
      site.app.request(url, {
        method: 'PUT',
        body: new Blob([bytes]).stream(),
        duplex: 'half',
      } as RequestInit)
    expect((await chunked(content.bytes.subarray(1))).status).toBe(422)
    expect((await chunked(Buffer.concat([content.bytes, wrong]))).status).toBe(422)
    expect(await storedKeys(world)).toEqual(before)
    expect(await objectRow(world, content.sha256)).toBeUndefined()
    expect((await chunked(content.bytes)).status).toBe(200)
  })

  test('a repeated put is accepted and adds no second object', async () => {
    const content = givenContent()
    const url = await site.link(content, 'upload')
    const statuses = await Promise.all([
      site.put(url, content.bytes),
      site.put(url, content.bytes),
      site.put(url, content.bytes),
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
    ['another signer', (url: string) => url.replace(/_[^_]+_(token_[^&]+)/, `_${absentId}_$1`)],
    ['another token', (url: string) => url.replace(/_token_[^&]+/, `_token_${absentId}`)],
    ['another repo', (url: string) => url.replace(/commit_[^_]+/, `commit_${absentId}`)],
    ['another right', (url: string) => url.replace('repo.commit', 'repo.open-pull-request')],
    ['no signer', (url: string) => url.replace(/for=[^&]+/, '')],
    ['a longer life', (url: string) => url.replace(/exp=\d+/, 'exp=9999999999')],
    ['no signature', (url: string) => url.replace(/[?&]sig=[^&]+/, '')],
  ])('a link changed to %s is refused', async (_, change) => {
    const content = givenContent()
    const url = await site.link(content, 'upload')
    expect(change(url)).not.toBe(url)
    expect((await site.put(change(url), content.bytes)).status).toBe(403)
    expect(await objectRow(world, content.sha256)).toBeUndefined()
  })

  test('an upload link expires', async () => {
    const content = givenContent()
    const url = await site.link(content, 'upload')
    pass(world, hours(24))
    expect((await site.put(url, content.bytes)).status).toBe(403)
  })

  test('a link of another method does not read: the upload link gives no bytes away', async () => {
    const content = givenContent()
    const url = await site.link(content, 'upload')
    await site.put(url, content.bytes)
    expect((await site.app.request(url)).status).toBe(403)
  })

  async function parts(content: Content) {
    const { actions, transfer } = await site.batch(content, 'upload', ['basic', 'multipart'])
    expect(transfer).toBe('multipart')
    const { chunk_size, ...urls } = actions?.['upload']?.header ?? {}
    return { href: actions?.['upload']?.href ?? '', size: Number(chunk_size), urls: Object.values(urls) }
  }

  test('multipart: parts in any order, a completion without credentials, twice', async () => {
    const content = givenContent(65 * MiB)
    const { href, size, urls } = await parts(content)
    const etags = new Map<number, string>()
    for (const n of [5, 1, 3, 2, 4]) {
      const answer = await site.put(urls[n - 1] ?? '', content.bytes.subarray((n - 1) * size, n * size))
      expect(answer.status).toBe(200)
      etags.set(n, answer.headers.get('etag') ?? '')
    }
    const sent = [...etags].map(([partNumber, etag]) => ({ partNumber, etag }))
    const complete = (body: unknown) => site.post(href, body, {})
    expect((await complete({ oid: 'f'.repeat(64), parts: sent })).status).toBe(422)
    expect((await complete({ parts: sent })).status).toBe(422)
    const lacking = await complete({ oid: content.sha256, parts: sent.slice(1) })
    expect([lacking.status, await lacking.text()]).toEqual([
      422,
      expect.stringMatching(/part 5 is stored but/),
    ])
    const done = await complete({ oid: content.sha256, parts: sent })
    expect([done.status, await done.json()]).toEqual([200, {}])
    expect((await complete({ oid: content.sha256, parts: sent })).status).toBe(200)
    const answer = await site.app.request(await site.link(content, 'download'))
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.bytes)).toBe(true)
    expect(await storedKeys(world, 'uploads/')).toEqual([])
    // A part repeated after the end is no failure either.
    expect((await site.put(urls[0] ?? '', content.bytes.subarray(0, size))).status).toBe(200)
  })

  test('multipart: a part of the wrong length or number is refused', async () => {
    const content = givenContent(65 * MiB)
    const { urls, size } = await parts(content)
    expect((await site.put(urls[0] ?? '', content.bytes.subarray(0, size - 1))).status).toBe(422)
    expect(
      (await site.put((urls[0] ?? '').replace('/parts/1', '/parts/2'), content.bytes.subarray(0, size)))
        .status,
    ).toBe(403)
  })
})
