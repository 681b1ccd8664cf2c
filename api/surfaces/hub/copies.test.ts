import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { pathsOf } from '../../rooms/content/testing.ts'
import { deleteRepo, renameRepo, type Repo } from '../../rooms/repos/index.ts'
import { setQuota } from '../../rooms/namespaces/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { givenLarge, hubOver, type HubClient } from './testing.ts'

type Entry = Record<string, unknown> & { path: string }

const unknown = '0'.repeat(64)
const pathOf = ({ ns, name }: Repo) => `/api/models/${ns}/${name}`
const named = ({ ns, name }: Repo, sha256s: string[]) => ({
  target: { type: 'model', name: `${ns}/${name}` },
  files: sha256s.map((sha256) => ({ sha256, xetHash: '*'.repeat(64), filename: 'w.bin' })),
})

eachDatabase('copies of large files between repos on the hub surface', (world) => {
  let ada: UserActor
  let bob: UserActor
  let mine: HubClient
  let source: Repo
  let target: Repo
  let large: string

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    mine = await hubOver(world).as(ada)
    source = await givenRepo(world, ada, { name: 'source' })
    target = await givenRepo(world, ada, { name: 'target' })
    large = (await givenLarge(world, ada, source, 'w.bin')).sha256
  })

  const copy = (client: HubClient, from: Repo, to: Repo, sha256s: string[]) =>
    client.send<Record<string, unknown>>('POST', `${pathOf(from)}/lfs-files/duplicate`, named(to, sha256s))
  const commitTo = (client: HubClient, to: Repo, oid: string) =>
    client.sendLines(`${pathOf(to)}/commit/main`, [
      { key: 'header', value: { summary: 'Copy' } },
      // As huggingface_hub 2.4.0 sends copies: without a size.
      { key: 'lfsFile', value: { path: 'copied.bin', algo: 'sha256', oid } },
    ])

  test('paths-info alone has what copies ask for, and never a hash', async () => {
    const info = async (body: object) =>
      (await mine.send<Entry[]>('POST', `${pathOf(source)}/paths-info/main`, body)).body
    const paths = ['w.bin', '.gitattributes']
    const [small, file] = (await info({ paths, expand: false })).toSorted((a, b) =>
      a.path.localeCompare(b.path),
    )
    expect(file).toMatchObject({ path: 'w.bin', lfs: { oid: large }, xetHash: '*'.repeat(64) })
    expect(small).not.toHaveProperty('xetHash')
    for (const entry of await info({ paths, expand: true })) expect(entry).not.toHaveProperty('xetHash')
    for (const query of ['', '?recursive=true&expand=false', '?expand=true']) {
      const { body } = await mine.get<Entry[]>(`${pathOf(source)}/tree/main${query}`)
      expect(body.map(({ path }) => path)).toContain('w.bin')
      expect(JSON.stringify(body)).not.toContain('xetHash')
    }
    expect(JSON.stringify((await mine.get(`${pathOf(source)}?blobs=true`)).body)).not.toContain('xetHash')
    const head = await mine.send('HEAD', '/ada/source/resolve/main/w.bin')
    expect([head.status, head.header('x-xet-hash'), head.header('link')]).toEqual([200, null, null])
  })

  test('a copy is checked, then committed without the bytes', async () => {
    expect((await copy(mine, source, target, [large, large])).body).toEqual({ failed: [] })
    expect((await commitTo(mine, target, large)).status).toBe(200)
    expect(await pathsOf(world, ada, target)).toContain('copied.bin')
    expect((await copy(mine, target, source, [large])).body).toEqual({ failed: [] })
  })

  test('a commit without a title, as JavaScript makes of small files it copies, is given one', async () => {
    const lines = [
      { key: 'header', value: { summary: ' ' } },
      { key: 'file', value: { path: 'small.txt', content: 'YQ==', encoding: 'base64' } },
    ]
    expect((await mine.sendLines(`${pathOf(target)}/commit/main`, lines)).status).toBe(200)
    const { body } = await mine.get<{ title: string }[]>(`${pathOf(target)}/commits/main`)
    expect(body[0]?.title).toBe('Update files')
  })

  test('what the source does not hold is named, even if another repo has it', async () => {
    const theirs = await givenRepo(world, bob)
    const secret = (await givenLarge(world, bob, theirs, 'w.bin')).sha256
    const { status, body } = await copy(mine, source, target, [secret, large, unknown])
    const error = expect.stringContaining('repeat the copy')
    expect([status, body]).toEqual([200, { failed: [secret, unknown].map((sha256) => ({ sha256, error })) }])
    expect((await commitTo(mine, target, secret)).status).toBe(400)
  })

  test('a commit asks for the rights once more', async () => {
    const open = await givenRepo(world, bob, { visibility: 'public' })
    const shared = (await givenLarge(world, bob, open, 'w.bin')).sha256
    expect((await copy(mine, open, target, [shared])).body).toEqual({ failed: [] })
    await deleteRepo(world.ctx(bob), open)
    expect((await commitTo(mine, target, shared)).status).toBe(400)
  })

  describe('is refused', () => {
    const statusOf = async (client: HubClient, from: Repo, to: Repo) => {
      const { status, header } = await copy(client, from, to, [large])
      return [status, header('x-error-code')]
    }
    const absent = (): Repo => ({ ...source, name: 'absent' })

    test('where one of the two is hidden, as if it were not there', async () => {
      const theirs = await hubOver(world).as(bob)
      const own = await givenRepo(world, bob)
      const hidden = await copy(theirs, source, own, [large])
      const missing = await copy(theirs, absent(), own, [large])
      expect([hidden.status, hidden.body]).toEqual([404, missing.body])
      expect(await statusOf(theirs, own, target)).toEqual([404, 'RepoNotFound'])
      expect(await statusOf(theirs, own, absent())).toEqual([404, 'RepoNotFound'])
    })

    test('where files are gated, and to strangers and tokens that only read', async () => {
      const gated = await givenRepo(world, bob, { visibility: 'public', gated: 'manual' })
      expect(await statusOf(mine, gated, target)).toEqual([403, 'GatedRepo'])
      const open = await givenRepo(world, ada, { visibility: 'public' })
      expect((await statusOf(hubOver(world).visitor, open, open))[0]).toBe(401)
      expect((await statusOf(await hubOver(world).as(ada, ['read']), source, target))[0]).toBe(403)
    })

    test('outside the fence of a token', async () => {
      const fence = { repos: [{ type: 'model' as const, ns: 'ada', name: 'target' }] }
      const { secret } = await givenToken(world, ada, { fence })
      const fenced = hubOver(world).clientOf({ Authorization: `Bearer ${secret}` })
      expect(await statusOf(fenced, source, target)).toEqual([404, 'RepoNotFound'])
    })

    test('beyond the quota of the target', async () => {
      const root = await givenUser(world, 'root', { isAdmin: true })
      const open = await givenRepo(world, ada, { visibility: 'public' })
      const { sha256 } = await givenLarge(world, ada, open, 'w.bin')
      const own = await givenRepo(world, bob)
      await setQuota(world.ctx(root), 'bob', 1)
      const refused = await copy(await hubOver(world).as(bob), open, own, [sha256])
      expect([refused.status, String(refused.body['error'])]).toEqual([
        413,
        expect.stringContaining('this would add 2000'),
      ])
      await setQuota(world.ctx(root), 'bob', null)
    })

    test('when the body does not fit', async () => {
      const at = `${pathOf(source)}/lfs-files/duplicate`
      const { target: to, files } = named(target, [large])
      for (const body of [
        {},
        { target: to },
        { files },
        { target: { ...to, type: 'space' }, files },
        { target: to, files: [{ sha256: 'A' }] },
        { target: to, files: Array(1001).fill(files[0]) },
      ])
        expect((await mine.send('POST', at, body)).status).toBe(400)
      expect((await mine.send('POST', at, { target: to, files: [] })).body).toEqual({ failed: [] })
    })
  })

  test('into a public repo of somebody else it goes by a pull request, not by a commit', async () => {
    const open = await givenRepo(world, bob, { visibility: 'public' })
    expect((await copy(mine, source, open, [large])).body).toEqual({ failed: [] })
    expect((await commitTo(mine, open, large)).status).toBe(403)
  })

  test('the old address of a target is followed', async () => {
    const moving = await givenRepo(world, ada, { name: 'before' })
    await renameRepo(world.ctx(ada), { type: 'model', ns: 'ada', name: 'before' }, 'after')
    expect((await copy(mine, source, moving, [large])).body).toEqual({ failed: [] })
  })
})
