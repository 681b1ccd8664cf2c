import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { addItem } from '../../rooms/collections/index.ts'
import { givenCollection } from '../../rooms/collections/testing.ts'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { deleteRepo, renameRepo, updateRepo, type Repo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenRepo } from '../../testing.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { answerTo } from './testing/answer.ts'
import { givenScene, sha256Of, type Scene } from './testing/scene.ts'
import { givenTarget, type Ask, type Target } from './testing/target.ts'

const get = (path: string): Ask => ({ method: 'GET', path, headers: {} })
const send = (method: string, path: string, body: unknown): Ask => ({
  method,
  path,
  headers: {
    'Content-Type': path.includes('info/lfs') ? 'application/vnd.git-lfs+json' : 'application/json',
  },
  body: JSON.stringify(body),
})
/** Without ids, signatures and hashes, which are new in each answer. */
const form = (text: string) =>
  text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/[\da-f]{40,64}/g, 'HEX')
    .replaceAll(/sig=[\w-]+/g, 'SIG')

// The channels of reliability.md §2 that could reveal something private.
eachDatabase('leaks', (world) => {
  let app: App
  let scene: Scene
  let hidden: Target
  let theirs: Repo
  let size = 0
  const at = (name: string) => ({ type: 'model' as const, ns: scene.owner.username, name })

  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    scene = await givenScene(world)
    const made = await givenTarget(world, scene, 'model', 'secret')
    hidden = made.target
    size = `large file of ${made.repo.id}`.length
    await updateRepo(world.ctx(scene.owner), at('secret'), { visibility: 'private' })
    theirs = await givenRepo(world, scene.stranger, { name: 'theirs', visibility: 'public' })
    await givenCommit(world, scene.stranger, theirs, [add('a.txt')])
  })

  const stranger = (ask: Ask) => answerTo(app, ask, scene.headers.stranger)
  /** Expects both requests to be answered alike but for ids and hashes. */
  async function expectAlike(ofHidden: Ask, ofNothing: Ask) {
    const [one, other] = [await stranger(ofHidden), await stranger(ofNothing)]
    expect(form(JSON.stringify(one))).toBe(form(JSON.stringify(other)))
    return one
  }
  const native = (rest: string) => `${nativeBase}/repos/models/${theirs.ns}/${theirs.name}${rest}`

  test('L1: plans and batches ask for objects of others as if they were new', async () => {
    const plan = (sha256: string) =>
      send('POST', native('/uploads'), { files: [{ path: 'w.safetensors', size, sha256 }] })
    const planned = await expectAlike(plan(hidden.oid), plan(sha256Of('unknown')))
    expect(JSON.parse(planned.text)).toMatchObject({ files: [{ mode: 'upload' }] })
    const batch = (oid: string) =>
      send('POST', `/${theirs.ns}/${theirs.name}.git/info/lfs/objects/batch`, {
        operation: 'upload',
        transfers: ['basic'],
        objects: [{ oid, size }],
      })
    const batched = await expectAlike(batch(hidden.oid), batch(sha256Of('unknown too')))
    expect(batched.text).toContain('"upload"')
  })

  test('L2: naming the hash of what others hold gives no way to its bytes', async () => {
    const commit = (sha256: string) =>
      send('POST', native('/commits'), {
        title: 'grab',
        operations: [{ op: 'add', path: 'w.bin', lfs: { sha256, size } }],
      })
    expect(await expectAlike(commit(hidden.oid), commit(sha256Of('unknown')))).toMatchObject({ status: 422 })
    const batch = (oid: string) =>
      send('POST', `/${theirs.ns}/${theirs.name}.git/info/lfs/objects/batch`, {
        operation: 'download',
        objects: [{ oid, size }],
      })
    const { text } = await expectAlike(batch(hidden.oid), batch(sha256Of('unknown')))
    expect(JSON.parse(text)).toMatchObject({ objects: [{ error: { code: 404 } }] })
    const copy = (from: string, sha256: string) =>
      send('POST', `/api/models/${from}/lfs-files/duplicate`, {
        target: { type: 'model', name: `${theirs.ns}/${theirs.name}` },
        files: [{ sha256, xetHash: '*'.repeat(64), filename: 'w.bin' }],
      })
    const own = `${theirs.ns}/${theirs.name}`
    const copied = await expectAlike(copy(own, hidden.oid), copy(own, sha256Of('unknown')))
    expect(JSON.parse(copied.text)).toMatchObject({ failed: [{ sha256: hidden.oid }] })
    const other = (name: string) => `${scene.owner.username}/${name}`
    const from = await expectAlike(copy(other('secret'), hidden.oid), copy(other('absent'), hidden.oid))
    expect(from.status).toBe(404)
  })

  test.each([
    ['tree', (sha: string) => get(native(`/tree/${sha}`))],
    ['commit', (sha: string) => get(native(`/commits/${sha}`))],
    ['diff', (sha: string) => get(native(`/commits/${sha}/diff?path=README.md`))],
    ['commit list', (sha: string) => get(native(`/commits?rev=${sha}`))],
    ['resolve', (sha: string) => get(`/${theirs.ns}/${theirs.name}/resolve/${sha}/README.md`)],
    ['hub tree', (sha: string) => get(`/api/models/${theirs.ns}/${theirs.name}/tree/${sha}`)],
    ['zip', (sha: string) => send('POST', native(`/zip?rev=${sha}`), undefined)],
    ['branch', (sha: string) => send('POST', native('/branches'), { name: 'grab', from: sha })],
    [
      'copy',
      (sha: string) =>
        send('POST', native('/commits'), {
          title: 'grab',
          operations: [{ op: 'copy', from: 'README.md', from_revision: sha, to: 'b' }],
        }),
    ],
  ])('L4: a commit of another repo is no revision of this one: %s', async (_, ask) => {
    const { status, text } = await expectAlike(ask(hidden.sha), ask('1'.repeat(40)))
    expect([status, text.includes('evision') || text.includes('rev id')]).toEqual([404, true])
  })

  test('L6: an old address leads on only for those who may see where to, until its name is used again', async () => {
    const ctx = world.ctx(scene.owner)
    const old = `${nativeBase}/repos/models/${scene.owner.username}/moving`
    const absent = await stranger(get(old))
    await givenRepo(world, scene.owner, { name: 'moving', visibility: 'public' })
    await renameRepo(ctx, at('moving'), 'moved')
    const led = await stranger(get(old))
    expect([led.status, led.headers['location']]).toEqual([307, old.replace('moving', 'moved')])
    await updateRepo(ctx, at('moved'), { visibility: 'private' })
    expect(await stranger(get(old))).toEqual(absent)
    await updateRepo(ctx, at('moved'), { visibility: 'public' })
    await givenRepo(world, scene.owner, { name: 'moving', visibility: 'private' })
    expect(await stranger(get(old))).toEqual(absent)
    await deleteRepo(ctx, at('moving'))
    expect(await stranger(get(old))).toEqual(absent)
  })

  test('L7: lists, counts, facets, cursors and search are those of a server without the hidden repo', async () => {
    const ns = scene.owner.username
    const { collection: shelf } = scene
    const asks = [
      ...[
        '?q=furtive',
        `?ns=${ns}&limit=1`,
        '?licence=wtfpl',
        '?limit=1&sort=name',
        '?task=object-detection',
      ].map((query) => get(`${nativeBase}/repos${query}`)),
      get(`${nativeBase}/search?q=furtive`),
      ...['furtive', 'model'].map((q) => get(`${nativeBase}/search?q=${q}&types=cards`)),
      get(`${nativeBase}/namespaces/${ns}`),
      get(`${nativeBase}/namespaces/${shelf.ns}`),
      ...['', '?q=furtive', `?owner=${shelf.ns}`, `?item=models/${ns}/furtive`].flatMap((query) => [
        get(`${nativeBase}/collections${query}`),
        get(`/api/collections${query}`),
      ]),
      get(`${nativeBase}/collections/${shelf.ns}/${shelf.slug}`),
      get(`/api/collections/${shelf.ns}/${shelf.slug}`),
      ...['?search=furtive', `?author=${ns}&limit=1`, '?filter=object-detection', '?limit=1'].map((query) =>
        get(`/api/models${query}`),
      ),
    ]
    const before = []
    for (const ask of asks) before.push(await stranger(ask))
    const furtive = await givenRepo(world, scene.owner, {
      name: 'furtive',
      licence: 'wtfpl',
      description: 'furtive',
    })
    const card = '---\nlicense: wtfpl\npipeline_tag: object-detection\n---\n'
    await givenCommit(world, scene.owner, furtive, [add('README.md', card)])
    await addItem(world.ctx(scene.owner), shelf, { item: furtive })
    await givenCollection(world, scene.owner, [], { title: 'furtive', visibility: 'private' })
    for (const [i, ask] of asks.entries())
      expect([ask.path, await stranger(ask)]).toEqual([ask.path, before[i]])
    const { text } = await answerTo(app, get(`${nativeBase}/repos?q=furtive`), scene.headers.owner)
    expect(JSON.parse(text)).toMatchObject({ total: 1, facets: { licence: [{ value: 'wtfpl', count: 1 }] } })
  })

  test('L9: only users who may create there learn whether a name is in use', async () => {
    const ns = scene.owner.username
    const create = (name: string) => send('POST', `${nativeBase}/repos`, { type: 'model', ns, name })
    expect(await expectAlike(create('secret'), create('unused'))).toMatchObject({ status: 403 })
    const hub = (name: string) => send('POST', '/api/repos/create', { name, organization: ns })
    expect(await expectAlike(hub('secret'), hub('unused'))).toMatchObject({ status: 403 })
    const move = (name: string) =>
      send('POST', '/api/repos/move', { fromRepo: `${theirs.ns}/${theirs.name}`, toRepo: `${ns}/${name}` })
    expect(await expectAlike(move('secret'), move('unused'))).toMatchObject({ status: 403 })
    await givenRepo(world, scene.stranger, { name: 'secret' })
    const transfer = (name: string) =>
      send('POST', `${nativeBase}/repos/models/${theirs.ns}/${name}/transfer`, { ns })
    expect(await expectAlike(transfer('secret'), transfer('theirs'))).toMatchObject({ status: 403 })
  })
})
