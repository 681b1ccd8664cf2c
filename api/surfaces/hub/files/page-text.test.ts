import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { givenCommit } from '../../../rooms/content/testing.ts'
import { givenRepo, givenToken, givenUser, oneDatabase } from '../../../testing.ts'

oneDatabase('a text that a page of ours reads', (world) => {
  const text = 'One line of a long text.\n'.repeat(1000)
  const ofPage = { 'Accept-Encoding': 'gzip, br', 'Sec-Fetch-Site': 'same-origin' }
  let get: (path: string, headers: Record<string, string>) => Promise<Response>
  beforeAll(async () => {
    const owner: UserActor = await givenUser(world, 'ada')
    const repo = await givenRepo(world, owner, { visibility: 'public' })
    const add = (path: string, content: string | Uint8Array) =>
      ({ op: 'add', path, content: Buffer.from(content) }) as const
    await givenCommit(world, owner, repo, [
      add('long.txt', text),
      add('short.txt', 'short\n'),
      add('picture.png', new Uint8Array(9000)),
    ])
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const { secret } = await givenToken(world, owner)
    get = async (path, headers) =>
      app.request(`/ada/${repo.name}/${path}`, { headers: { Authorization: `Bearer ${secret}`, ...headers } })
  })

  test('comes compressed, by both addresses, and is the same afterwards', async () => {
    for (const form of ['resolve', 'raw']) {
      const answer = await get(`${form}/main/long.txt`, ofPage)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, answer.headers.get('Content-Encoding')]).toEqual([200, 'gzip'])
      expect(bytes.length).toBeLessThan(text.length / 10)
      expect(answer.headers.get('Content-Length')).toBeNull()
      expect(answer.headers.get('ETag')).toMatch(/^W\/"/)
      expect(answer.headers.get('Vary')).toContain('Sec-Fetch-Site')
      expect(gunzipSync(bytes).toString()).toBe(text)
    }
  })

  test('is not sent again while it is the same', async () => {
    const etag = (await get('raw/main/long.txt', ofPage)).headers.get('ETag') ?? ''
    expect((await get('raw/main/long.txt', { ...ofPage, 'If-None-Match': etag })).status).toBe(304)
  })

  test('goes as it is to clients, as a download, in part, and where gzip gains nothing', async () => {
    const cases: [path: string, headers: Record<string, string>, status: number, bytes: number][] = [
      ['resolve/main/long.txt', { 'Accept-Encoding': 'gzip' }, 200, text.length],
      ['resolve/main/long.txt', { ...ofPage, 'Sec-Fetch-Site': 'cross-site' }, 200, text.length],
      ['resolve/main/long.txt', { ...ofPage, 'Accept-Encoding': 'identity' }, 200, text.length],
      ['resolve/main/long.txt?download=true', ofPage, 200, text.length],
      ['resolve/main/long.txt', { ...ofPage, Range: 'bytes=0-9' }, 206, 10],
      ['resolve/main/short.txt', ofPage, 200, 6],
      ['resolve/main/picture.png', ofPage, 200, 9000],
    ]
    for (const [path, headers, status, bytes] of cases) {
      const answer = await get(path, headers)
      expect([path, answer.status, answer.headers.get('Content-Encoding')]).toEqual([path, status, null])
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
      expect(answer.headers.get('ETag')).toMatch(/^"/)
    }
  })
})
