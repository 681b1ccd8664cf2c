import { beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { renameRepo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { hubOver, type HubClient } from './testing.ts'

eachDatabase('addresses of repos', (world) => {
  let ada: UserActor
  let mine: HubClient
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    await givenRepo(world, ada, { name: 'old', visibility: 'public' })
    await renameRepo(world.ctx(ada), { type: 'model', ns: 'ada', name: 'old' }, 'New')
    await givenRepo(world, ada, { type: 'dataset', name: 'old', visibility: 'public' })
    await renameRepo(world.ctx(ada), { type: 'dataset', ns: 'ada', name: 'old' }, 'New')
    mine = await hubOver(world).as(ada)
  })

  // Every surface, with the method that clients use on it.
  const asked: [string, string][] = [
    ['GET', '/api/models/ada/old'],
    ['GET', '/api/datasets/ada/old/revision/main?blobs=true'],
    ['GET', '/api/models/ada/old/tree/refs%2Fpr%2F1?recursive=true'],
    ['POST', '/api/models/ada/old/paths-info/main'],
    ['POST', '/api/models/ada/old/preupload/main'],
    ['POST', '/api/models/ada/old/commit/main'],
    ['GET', '/api/models/ada/old/commits/main'],
    ['GET', '/api/models/ada/old/refs'],
    ['POST', '/api/models/ada/old/branch/x'],
    ['DELETE', '/api/models/ada/old/tag/x'],
    ['GET', '/api/models/ada/old/discussions?p=0'],
    ['POST', '/api/models/ada/old/discussions/1/comment'],
    ['PUT', '/api/models/ada/old/settings'],
    ['POST', '/api/models/ada/old/like'],
    ['GET', '/api/models/ada/old/auth-check/write'],
    ['POST', '/api/models/ada/old/super-squash/main'],
    ['GET', '/api/models/ada/old/lfs-files'],
    ['POST', '/api/models/ada/old/lfs-files/duplicate'],
    ['GET', '/api/models/ada/old/xet-write-token/main'],
    ['GET', '/ada/old/resolve/main/a%20b.txt?download=true'],
    ['HEAD', '/datasets/ada/old/resolve/main/a.txt'],
    ['GET', '/ada/old/raw/main/README.md'],
    ['POST', '/ada/old.git/info/lfs/objects/batch'],
    ['POST', '/datasets/ada/old.git/info/lfs/objects/batch'],
    ['GET', '/ada/old.git/info/refs?service=git-upload-pack'],
    ['POST', '/ada/old.git/git-upload-pack'],
    ['GET', `${nativeBase}/repos/models/ada/old`],
    ['GET', `${nativeBase}/repos/datasets/ada/old/refs`],
  ]
  function bodyFor(path: string): unknown {
    if (path.endsWith('/batch')) return { operation: 'download', objects: [{ oid: 'a'.repeat(64), size: 1 }] }
    if (path.includes('/preupload/')) return { files: [] }
    if (path.includes('/commit/')) return { key: 'header', value: { summary: 'x' } }
    if (path.endsWith('/duplicate')) return { target: { name: 'ada/New' }, files: [] }
    if (path.includes('/comment')) return { comment: 'x' }
    return {}
  }

  test.each(asked)('%s %s of a moved repo is sent on as it is, to the new address', async (method, path) => {
    const body = method === 'GET' || method === 'HEAD' ? undefined : bodyFor(path)
    const { status, header } = await mine.send(method, path, body)
    expect([path, status, header('location')]).toEqual([path, 307, path.replace('ada/old', 'ada/New')])
  })

  test('an address in another case is sent on to the spelling of the repo', async () => {
    const { status, header } = await mine.get('/api/models/ADA/new/revision/main')
    expect([status, header('location')]).toEqual([307, '/api/models/ada/New/revision/main'])
    const file = await mine.get('/Ada/NEW/resolve/main/.gitattributes')
    expect([file.status, file.header('location')]).toEqual([307, '/ada/New/resolve/main/.gitattributes'])
  })

  describe('with a namespace for single names', () => {
    const over = () =>
      hubOver(world, (config) => ({ ...config, hubapi: { ...config.hubapi, default_namespace: 'ada' } }))
    test.each([
      ['GET', '/api/models/New', '/api/models/ada/New'],
      ['GET', '/api/models/New/revision/main?expand=sha', '/api/models/ada/New/revision/main?expand=sha'],
      ['GET', '/api/datasets/New/tree/main/a%2Fb', '/api/datasets/ada/New/tree/main/a%2Fb'],
      ['GET', '/api/models/New/refs', '/api/models/ada/New/refs'],
      ['GET', '/api/models/New/discussions?p=0', '/api/models/ada/New/discussions?p=0'],
      ['GET', '/api/models/New/discussions/3', '/api/models/ada/New/discussions/3'],
      ['POST', '/api/models/New/preupload/main', '/api/models/ada/New/preupload/main'],
      ['POST', '/api/models/New/commit/main', '/api/models/ada/New/commit/main'],
      ['POST', '/api/models/New/like', '/api/models/ada/New/like'],
      ['PUT', '/api/models/New/settings', '/api/models/ada/New/settings'],
      ['HEAD', '/New/resolve/main/config.json', '/ada/New/resolve/main/config.json'],
      ['GET', '/datasets/New/resolve/main/x', '/datasets/ada/New/resolve/main/x'],
      ['GET', '/New/info/refs?service=git-upload-pack', '/ada/New/info/refs?service=git-upload-pack'],
      ['GET', '/New.git/info/refs?service=git-upload-pack', '/ada/New.git/info/refs?service=git-upload-pack'],
      ['GET', '/datasets/info/info/refs', '/datasets/ada/info/info/refs'],
      ['POST', '/New/git-upload-pack', '/ada/New/git-upload-pack'],
      ['POST', '/models/New/git-receive-pack', '/models/ada/New/git-receive-pack'],
      ['POST', '/New.git/info/lfs/objects/batch', '/ada/New.git/info/lfs/objects/batch'],
      ['POST', '/datasets/New/info/lfs/locks/verify', '/datasets/ada/New/info/lfs/locks/verify'],
    ])('%s %s', async (method, path, expected) => {
      const { status, header } = await (await over().as(ada)).send(method, path)
      expect([status, header('location')]).toEqual([307, expected])
    })

    test('git finds repos with the names that its addresses are made of', async () => {
      for (const name of ['info', 'git-upload-pack']) {
        await givenRepo(world, ada, { name, visibility: 'public' })
        const adas = await over().as(ada)
        const refs = await adas.get(`/ada/${name}/info/refs?service=git-upload-pack`)
        expect([name, refs.status]).toEqual([name, 200])
        expect((await adas.get(`/ada/${name}`)).header('location')).toBeNull()
      }
    })

    test('addresses of the server itself stay', async () => {
      const signed = `/api/info/lfs/objects/${'a'.repeat(64)}`
      for (const path of [signed, '/settings/info/refs', '/ada/New/info/refs?service=git-upload-pack'])
        expect([path, (await (await over().as(ada)).get(path)).header('location')]).toEqual([path, null])
    })

    test('a repo of two names comes first', async () => {
      await givenRepo(world, ada, { name: 'likers', visibility: 'public' })
      expect((await (await over().as(ada)).get('/api/models/ada/likers')).status).toBe(200)
    })
  })

  test('without one a single name is no repo', async () => {
    for (const path of ['/api/models/New', '/api/models/New/refs', '/New/resolve/main/x']) {
      const { status, header } = await mine.get(path)
      expect([path, status, header('x-error-code')]).toEqual([path, 404, 'RepoNotFound'])
    }
  })
})
