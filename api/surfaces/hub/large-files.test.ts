import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit, pathsOf, textOf } from '../../rooms/content/testing.ts'
import { requireRepo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { givenLarge, hubOver, type HubClient } from './testing.ts'

interface LfsFile {
  fileOid: string
  oid: string
  filename: string
  size: number
  pushedAt: string
  ref?: string
}

eachDatabase('large files and copies on the hub surface', (world) => {
  let ada: UserActor
  let bob: UserActor
  let mine: HubClient

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    mine = await hubOver(world).as(ada)
  })

  test('files say when their commit was made, by GET and HEAD, large and small, as git stores them or not', async () => {
    const repo = await givenRepo(world, ada, { name: 'dated' })
    await givenLarge(world, ada, repo, 'large.bin')
    const first = world.clock.now.toUTCString()
    world.clock.now = new Date(world.clock.now.getTime() + 60_000)
    await givenCommit(world, ada, repo, [add('later.txt')])
    const second = world.clock.now.toUTCString()
    const { body } = await mine.get<{ id: string }[]>('/api/models/ada/dated/commits/main')
    const dateOf = async (method: string, rev: string, path: string, form = 'resolve') =>
      (await mine.send(method, `/ada/dated/${form}/${rev}/${path}`)).header('last-modified')
    for (const method of ['GET', 'HEAD'])
      for (const [path, form] of [['large.bin'], ['large.bin', 'raw'], ['.gitattributes']] as const) {
        expect(await dateOf(method, 'main', path, form)).toBe(second)
        expect(await dateOf(method, body[1]?.id ?? '', path, form)).toBe(first)
      }
  })

  test('a large file is deleted for good once no commit needs it', async () => {
    const repo = await givenRepo(world, ada, { name: 'large' })
    const at = '/api/models/ada/large'
    const [kept, gone] = [
      await givenLarge(world, ada, repo, 'a/kept.bin'),
      await givenLarge(world, ada, repo, 'gone.bin'),
    ]
    const files = async () => (await mine.get<LfsFile[]>(`${at}/lfs-files`)).body
    const named = (list: LfsFile[]) => Object.fromEntries(list.map((file) => [file.oid, file.filename]))
    expect((await files())[0]).toMatchObject({
      size: 2000,
      pushedAt: expect.stringMatching(/Z$/),
      ref: 'main',
    })
    expect(named(await files())).toEqual({ [kept.sha256]: 'a/kept.bin', [gone.sha256]: 'gone.bin' })
    const remove = (sha: string[]) =>
      mine.send('POST', `${at}/lfs-files/batch`, { deletions: { sha, rewriteHistory: false } })
    expect((await remove([gone.sha256])).body['error']).toContain('"gone.bin" in the history of main is')
    await givenCommit(world, ada, repo, [{ op: 'delete', path: 'gone.bin' }])
    expect((await remove([gone.sha256])).status).toBe(409)
    const past = (await files()).find(({ oid }) => oid === gone.sha256)
    expect([past?.filename, past?.ref]).toEqual(['gone.bin', undefined])
    expect((await mine.send('POST', `${at}/super-squash/main`, { message: 'One' })).status).toBe(200)
    // What the branch has lost can still be fetched by its id, and so has its name.
    expect(named(await files())[gone.sha256]).toBe('gone.bin')
    expect((await remove([kept.sha256, gone.sha256])).status).toBe(409)
    expect((await remove([gone.sha256, '0'.repeat(64)])).status).toBe(200)
    expect(named(await files())).toEqual({ [kept.sha256]: 'a/kept.bin' })
    const again = { op: 'add-lfs' as const, path: 'b.bin', sha256: gone.sha256, sizeBytes: 2000 }
    await expect(givenCommit(world, ada, repo, [again])).rejects.toMatchObject({ code: 'lfs-object-missing' })
  })

  test('what is stored is shown to writers and deleted by admins', async () => {
    await givenRepo(world, ada, { name: 'public', visibility: 'public' })
    const theirs = await hubOver(world).as(bob)
    const at = '/api/models/ada/public/lfs-files'
    expect((await theirs.get(at)).status).toBe(403)
    const body = { deletions: { sha: ['a'.repeat(64)], rewriteHistory: false } }
    expect((await theirs.send('POST', `${at}/batch`, body)).status).toBe(403)
    expect((await mine.send('POST', `${at}/batch`, {})).status).toBe(400)
    expect((await mine.send('POST', `${at}/batch`, { deletions: { sha: ['a\0'] } })).status).toBe(400)
    const many = { deletions: { sha: Array(1001).fill('a'.repeat(64)) } }
    expect((await mine.send('POST', `${at}/batch`, many)).status).toBe(400)
  })

  test('a copy has the files of the head, one commit more, and an owner of its own', async () => {
    const source = await givenRepo(world, ada, {
      type: 'dataset',
      name: 'source',
      visibility: 'public',
      description: 'Words.',
    })
    const large = await givenLarge(world, ada, source, 'data/large.parquet')
    await givenCommit(world, ada, source, [add('README.md', '---\nlicense: mit\n---\n'), add('x.txt')])
    await givenCommit(world, ada, source, [{ op: 'delete', path: '.gitattributes' }])
    const theirs = await hubOver(world).as(bob)
    const made = await theirs.send('POST', '/api/datasets/ada/source/duplicate', { repository: 'bob/copy' })
    expect([made.status, made.body]).toEqual([200, { url: expect.stringMatching(/\/datasets\/bob\/copy$/) }])
    const address = { type: 'dataset' as const, ns: 'bob', name: 'copy' }
    const copy = await requireRepo(world.ctx(bob), address, 'repo.read')
    expect(copy).toMatchObject({ visibility: 'private', description: 'Words.', licence: 'mit' })
    expect(await pathsOf(world, bob, copy)).toEqual(
      expect.arrayContaining(['README.md', 'data/large.parquet', 'x.txt']),
    )
    expect(await textOf(world, bob, copy, 'x.txt')).toBe('x.txt\n')
    const files = await theirs.get<LfsFile[]>('/api/datasets/bob/copy/lfs-files')
    expect(files.body).toMatchObject([{ oid: large.sha256, filename: 'data/large.parquet' }])
    const { body } = await theirs.get<{ title: string }[]>('/api/datasets/bob/copy/commits/main')
    expect(body.map(({ title }) => title)).toEqual(['Duplicate from ada/source', 'initial commit'])
    const again = await theirs.send('POST', '/api/datasets/ada/source/duplicate', { repository: 'bob/copy' })
    expect([again.status, again.body['url']]).toEqual([409, made.body['url']])
  })

  test('nothing is copied that one may not read, and nowhere that one may not write', async () => {
    await givenRepo(world, ada, { name: 'hidden' })
    await givenRepo(world, ada, { name: 'gated', visibility: 'public', gated: 'manual' })
    const theirs = await hubOver(world).as(bob)
    const copy = async (name: string, repository: string) =>
      (await theirs.send('POST', `/api/models/ada/${name}/duplicate`, { repository })).status
    expect(await copy('hidden', 'bob/x')).toBe(404)
    expect(await copy('gated', 'bob/x')).toBe(403)
    expect(await copy('public', 'ada/x')).toBe(403)
    expect(await copy('public', 'bob/.bad.')).toBe(422)
  })

  test('history is squashed into one commit with the same files', async () => {
    const repo = await givenRepo(world, ada, { name: 'long' })
    await givenCommit(world, ada, repo, [add('a.txt')])
    const at = '/api/models/ada/long'
    await mine.send('POST', `${at}/tag/main`, { tag: 'v1' })
    await mine.send('POST', `${at}/branch/feat%2Fx`, {})
    expect((await mine.send('POST', `${at}/super-squash/feat%2Fx`, { message: 'All of it' })).body).toEqual(
      {},
    )
    const { body } = await mine.get<{ title: string }[]>(`${at}/commits/feat%2Fx`)
    expect(body.map(({ title }) => title)).toEqual(['All of it'])
    expect(await pathsOf(world, ada, repo, 'feat/x')).toEqual(await pathsOf(world, ada, repo, 'main'))
    const answered = async (branch: string) => {
      const { status, header } = await mine.send('POST', `${at}/super-squash/${branch}`, {})
      return [status, header('x-error-code')]
    }
    expect(await answered('v1')).toEqual([400, null])
    expect(await answered('none')).toEqual([404, 'RevisionNotFound'])
  })
})
