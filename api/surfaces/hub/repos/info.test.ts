import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { add, givenCommit } from '../../../rooms/content/testing.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { givenContent } from '../../../core/lfs/testing.ts'
import type { Repo } from '../../../rooms/repos/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { storeObject } from '../../../rooms/uploads/receive/store-object.ts'
import { hubOver, type HubClient } from '../testing.ts'

eachDatabase('info of a repo on the hub surface', (world) => {
  const weights = givenContent(5000)
  let ada: UserActor
  let repo: Repo
  let mine: HubClient
  const at = '/api/models/ada/bert'

  beforeAll(async () => {
    world.deps.config.security.anonymous_read = true
    ada = await givenUser(world, 'ada')
    repo = await givenRepo(world, ada, { name: 'bert', visibility: 'public' })
    await givenCommit(world, ada, repo, [add('README.md', '---\nlicense: mit\n---\n')])
    await storeObject(world.ctx(ada), { repoId: repo.id, userId: ada.id }, weights, fromChunks(weights.bytes))
    const { sha256, sizeBytes } = weights
    const pointer = { op: 'add-lfs' as const, path: 'model.bin', sha256, sizeBytes }
    await givenCommit(world, ada, repo, [pointer, add('README.md', '---\nlicense: apache-2.0\n---\n')])
    mine = await hubOver(world).as(ada)
  })

  test('says everything that is known, and nothing that is not', async () => {
    const { body, header } = await mine.get(at)
    expect(Object.keys(body).toSorted()).toEqual(
      (
        '_id id modelId author sha private gated disabled lastModified createdAt downloads likes tags cardData siblings ' +
        'usedStorage spaces'
      )
        .split(' ')
        .toSorted(),
    )
    expect(body).toMatchObject({
      id: 'ada/bert',
      modelId: 'ada/bert',
      sha: header('x-repo-commit'),
      disabled: false,
      tags: expect.arrayContaining(['license:apache-2.0']),
      cardData: { license: 'apache-2.0' },
      siblings: [{ rfilename: '.gitattributes' }, { rfilename: 'README.md' }, { rfilename: 'model.bin' }],
    })
    expect(Number(body['usedStorage'])).toBeGreaterThan(5000)
  })

  test('blobs adds sizes and ids, securityStatus that nothing was looked at', async () => {
    const { body } = await mine.get(`${at}?blobs=True&securityStatus=true`)
    const siblings = body['siblings'] as { rfilename: string }[]
    expect(siblings.find(({ rfilename }) => rfilename === 'model.bin')).toEqual({
      rfilename: 'model.bin',
      size: 5000,
      blobId: expect.stringMatching(/^[0-9a-f]{40}$/),
      lfs: { sha256: weights.sha256, size: 5000, pointerSize: expect.any(Number) },
    })
    expect(body['securityRepoStatus']).toEqual({ scansDone: false, filesWithIssues: [] })
  })

  test('at a revision it is as it was then', async () => {
    const snapshot = await world.deps.git.open(repo.id)
    const head = await snapshot.resolve('main')
    const [parent = ''] = (await snapshot.findCommit(head?.commit ?? ''))?.parents ?? []
    for (const rev of [parent, parent.slice(0, 8)]) {
      const { body } = await mine.get(`${at}/revision/${rev}`)
      expect(body).toMatchObject({ sha: parent, cardData: { license: 'mit' } })
      expect(body['siblings']).toHaveLength(2)
    }
    expect((await mine.get(`${at}/revision/HEAD`)).body['sha']).toBe(head?.commit)
    const missing = await mine.get(`${at}/revision/none`)
    expect([missing.status, missing.header('x-error-code')]).toEqual([404, 'RevisionNotFound'])
  })

  test('expand brings what it names and the ids, and goes with nothing else', async () => {
    const { body } = await mine.get(`${at}?expand[]=likes&expand=downloadsAllTime,sha`)
    expect(Object.keys(body).toSorted()).toEqual(['_id', 'downloadsAllTime', 'id', 'likes', 'sha'])
    for (const query of ['expand=sha&blobs=true', 'expand=sha&securityStatus=1', 'expand=mainSize'])
      expect((await mine.get(`${at}?${query}`)).status).toBe(400)
  })

  describe('of a disabled repo', () => {
    const disable = async (body: object, by: UserActor, scopes: ('write' | 'admin')[]) =>
      (await hubOver(world).as(by, scopes)).send('PATCH', `${nativeBase}/admin/repos/${repo.id}`, body)

    test('is shown, but its content only to instance admins until they enable it again', async () => {
      const admin = await givenUser(world, 'root', { isAdmin: true })
      for (const [by, scopes] of [
        [ada, ['write']],
        [admin, ['write']],
      ] as [UserActor, ('write' | 'admin')[]][])
        expect((await disable({ disabled: true }, by, scopes)).status).toBe(403)
      const done = await disable({ disabled: true, reason: 'malware' }, admin, ['admin'])
      expect(done.body).toMatchObject({ disabled: { since: expect.any(String), reason: 'malware' } })
      expect((await mine.get(at)).body).toMatchObject({ disabled: true, likes: 0 })
      const kept = [
        '/ada/bert/resolve/main/model.bin',
        '/ada/bert/raw/main/README.md',
        `${at}/auth-check`,
        `${at}/auth-check/write`,
      ]
      for (const path of kept) {
        const { status, header, body } = await mine.get(path)
        expect([path, status, header('x-error-code')]).toEqual([path, 403, null])
        expect(header('x-error-message')).toBe('Access to this resource is disabled.')
        expect(body['error']).toBe('Access to this resource is disabled.')
      }
      const native = await mine.get(`${nativeBase}/repos/models/ada/bert/zip`)
      expect(native.status).not.toBe(200)
      const looking = await hubOver(world).as(admin)
      expect((await looking.get('/ada/bert/raw/main/README.md')).status).toBe(200)
      expect((await disable({ disabled: false }, admin, ['admin'])).body).not.toHaveProperty('disabled')
      expect((await mine.get(kept[1] ?? '')).status).toBe(200)
      const audited = await world.db.q.select().from(world.db.t.audit)
      expect(audited.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['repo.disable', 'repo.enable']),
      )
    })
  })
})
