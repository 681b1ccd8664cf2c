import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { pass } from '../../core/lfs/testing.ts'
import { givenHub, siteOf } from '../../rooms/mirrors/testing/site.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { hubOver, type HubAnswer, type HubClient } from './testing.ts'

eachDatabase('mirrors on the hub surface', (world) => {
  const hub = givenHub(world)
  const site = siteOf(world, hub)
  let reader: UserActor
  let admin: HubClient
  let mine: HubClient

  beforeAll(async () => {
    reader = await givenUser(world, 'reader')
    const pull_through = { enabled: true, allow: ['*'], min_role: 'user' }
    const server = hubOver(world, () => site.ctx(undefined, { pull_through }).config)
    mine = await server.as(reader)
    admin = await server.as(await givenUser(world, 'mirror-admin', { isAdmin: true }), ['write', 'admin'])
  })

  const small = { 'README.md': '# Model\n', 'config.json': '{}' }
  /** What the upstream says of where its bytes lie, and of another protocol, stays between it and this server. */
  const expectOwn = ({ header, body }: HubAnswer<unknown>) => {
    for (const name of ['x-xet-hash', 'x-xet-refresh-route', 'x-xet-access-token'])
      expect(header(name), name).toBeNull()
    for (const said of [header('link') ?? '', header('location') ?? '', JSON.stringify(body)]) {
      expect(said).not.toContain('xet-auth')
      expect(said).not.toContain('cas.example')
      expect(said).not.toContain(new URL(hub.cdnUrl).host)
      expect(said).not.toContain('signed=1')
    }
  }

  test('a cold repo answers each kind of read first, with nothing of the upstream’s CDN or xet in it', async () => {
    const bytes = Buffer.from('a large file, as text. '.repeat(100))
    const reads: [string, (name: string) => Promise<HubAnswer<unknown>>, unknown][] = [
      ['info', (name) => mine.get(`/api/models/${name}?blobs=true`), undefined],
      ['tree', (name) => mine.get(`/api/models/${name}/tree/main?recursive=true`), undefined],
      [
        'paths-info',
        (name) => mine.send('POST', `/api/models/${name}/paths-info/main`, { paths: ['a.bin', 'nowhere'] }),
        [{ type: 'file', path: 'a.bin', size: bytes.length, lfs: { size: bytes.length } }],
      ],
      ['refs', (name) => mine.get(`/api/models/${name}/refs`), undefined],
      ['head', (name) => mine.send('HEAD', `/${name}/resolve/main/a.bin`), undefined],
      ['file', (name) => mine.get(`/${name}/resolve/main/a.bin`), bytes.toString()],
      ['small', (name) => mine.get(`/${name}/resolve/main/config.json`), {}],
    ]
    for (const [kind, read, body] of reads) {
      const name = `cold/for-${kind}`
      const commit = await hub.commit(name, small, { large: { 'a.bin': bytes } })
      const answer = await read(name)
      expect(answer.status, kind).toBe(200)
      expectOwn(answer)
      if (body !== undefined) expect(answer.body, kind).toMatchObject(body as object)
      if (['head', 'file', 'small'].includes(kind)) expect(answer.header('x-repo-commit')).toBe(commit)
    }
  })

  test('what may be behind its upstream says so, and what is fresh does not', async () => {
    await hub.commit('cold/stale', small)
    const read = () => mine.get('/cold/stale/resolve/main/config.json')
    expect((await read()).header('x-arsenal-upstream')).toBeNull()
    pass(world, 301_000)
    hub.misbehave = (_, response) => {
      response.destroy()
      return true
    }
    const stale = await read()
    expect([stale.status, stale.header('x-arsenal-upstream')]).toEqual([200, 'stale'])
    expect(stale.header('warning')).toBeNull()
    hub.misbehave = undefined
    pass(world, 301_000)
    expect((await read()).header('x-arsenal-upstream')).toBeNull()
  })

  test('a mirror refuses every change of its content, to admins too; likes and collections go on', async () => {
    await hub.commit('cold/closed', small, { large: { 'a.bin': randomBytes(2000) } })
    expect((await mine.get('/api/models/cold/closed')).status).toBe(200)
    const native = `${nativeBase}/repos/models/cold/closed`
    const line = (key: string, value: unknown) => ({ key, value })
    const changes: [string, () => Promise<HubAnswer<unknown>>][] = [
      [
        'commit',
        () =>
          admin.sendLines('/api/models/cold/closed/commit/main', [
            line('header', { summary: 'own' }),
            line('file', { path: 'x.txt', content: 'eA==', encoding: 'base64' }),
          ]),
      ],
      ['branch', () => admin.send('POST', '/api/models/cold/closed/branch/own', {})],
      ['tag', () => admin.send('POST', '/api/models/cold/closed/tag/main', { tag: 'v1' })],
      [
        'LFS upload',
        () =>
          admin.send('POST', '/cold/closed.git/info/lfs/objects/batch', {
            operation: 'upload',
            transfers: ['basic'],
            objects: [{ oid: '1'.repeat(64), size: 10 }],
          }),
      ],
      ['git push', () => admin.get('/cold/closed.git/info/refs?service=git-receive-pack')],
      ['native branch', () => admin.send('POST', `${native}/branches`, { name: 'own', from: 'main' })],
      ['native tag', () => admin.send('POST', `${native}/tags`, { name: 'v1', revision: 'main' })],
    ]
    for (const [what, change] of changes) {
      const answer = await change()
      expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBe(403)
      expect(JSON.stringify(answer.body), what).toMatch(/detach it/i)
    }
    const liked = await mine.send('POST', '/api/models/cold/closed/like')
    expect(liked.status, JSON.stringify(liked.body)).toBe(200)
    expect((await mine.get<{ likes: number }>('/api/models/cold/closed')).body.likes).toBe(1)
    const made = await mine.send<{ slug: string }>('POST', '/api/collections', {
      title: 'Mirrors',
      namespace: 'reader',
    })
    expect(made.status).toBe(200)
    const item = { item: { type: 'model', id: 'cold/closed' } }
    const added = await mine.send('POST', `/api/collections/${made.body.slug}/items`, item)
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    expect(JSON.stringify((await mine.get(`/api/collections/${made.body.slug}`)).body)).toContain(
      'cold/closed',
    )
  })
})
