import { expect, test } from 'vitest'
import { mountContent } from '../content/handlers.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { call } from '../../core/scanning/testing/pickles.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { mountRepos } from '../repos/handlers.ts'
import { mountScans } from './handlers.ts'
import { givenFiles, scanDue } from './testing.ts'

eachDatabase('scans over HTTP', (world) => {
  async function signedIn(username: string, more: { isAdmin?: boolean } = {}) {
    const user = await givenUser(world, username, more)
    const scopes: ('write' | 'admin')[] = more.isAdmin ? ['write', 'admin'] : ['write']
    const { secret } = await givenToken(world, user, { scopes })
    const app = appOf(world, { native: [mountScans, mountContent, mountRepos] })
    const read = async (path: string) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const answer = await app.request(`${nativeBase}${path}`, { headers })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    return { user, read }
  }

  test('a file, a tree, a repo and an admin’s list say what was found', async () => {
    const [ada, eve, root] = [
      await signedIn('ada'),
      await signedIn('eve'),
      await signedIn('root', { isAdmin: true }),
    ]
    const repo = await givenRepo(world, ada.user, { name: 'm' })
    const at = '/repos/models/ada/m'
    const file = `${at}/files/main/a%20b%2Fx.pkl/scan`
    const commit = await givenFiles(world, ada.user, repo, { 'a b/x.pkl': call('os', 'system') })
    expect((await ada.read(file)).body).toEqual({
      path: 'a b/x.pkl',
      commit,
      status: 'pending',
      scanner: 'arsenal-scan/3',
      checked: true,
      job: 'queued',
      imports: [],
      problems: [],
    })
    expect((await ada.read(at)).body).toMatchObject({ scan_status: 'pending' })
    await scanDue(world)
    expect((await ada.read(file)).body).toEqual({
      path: 'a b/x.pkl',
      commit,
      status: 'unsafe',
      scanner: 'arsenal-scan/3',
      checked: true,
      imports: [
        { module: 'os', name: 'system', safety: 'dangerous', meaning: 'Runs commands and changes files.' },
      ],
      problems: [],
    })
    expect((await ada.read(`${at}/tree/main?recursive=true`)).body['entries']).toMatchObject([
      { path: '.gitattributes', scan: 'safe' },
      { path: 'a b' },
      { path: 'a b/x.pkl', scan: 'unsafe' },
    ])
    expect((await ada.read(at)).body).toMatchObject({ scan_status: 'unsafe' })
    expect((await ada.read('/repos?type=models')).body['items']).toMatchObject([{ scan_status: 'unsafe' }])
    const found = { path: 'a b/x.pkl', status: 'unsafe' }
    expect((await ada.read(`${at}/scan`)).body).toEqual({
      commit,
      status: 'unsafe',
      done: true,
      unsafe: 1,
      suspicious: 0,
      failed: 0,
      pending: 0,
      files: [found],
    })
    expect((await root.read('/admin/unsafe-files')).body).toEqual({
      items: [
        {
          ...found,
          repo: { type: 'model', ns: 'ada', name: 'm' },
          branch: 'main',
          found_at: world.clock.now.toISOString(),
        },
      ],
      next_cursor: '',
    })

    expect((await ada.read('/admin/unsafe-files')).status).toBe(403)
    expect((await root.read('/admin/unsafe-files?status=other')).body).toMatchObject({
      code: 'validation-failed',
    })
    expect((await ada.read(`${at}/files/main/a%20b/scan`)).body).toMatchObject({ code: 'entry-not-found' })
    expect((await ada.read(`${at}/files/main/..%2Fx/scan`)).body).toMatchObject({ code: 'invalid-path' })
    expect((await ada.read(`${at}/scan?rev=none`)).body).toMatchObject({ code: 'revision-not-found' })
    for (const path of [file, `${at}/scan`]) {
      const [hidden, absent] = [await eve.read(path), await eve.read(path.replace('/m/', '/absent/'))]
      expect(hidden).toMatchObject({ status: 404, body: { code: 'repo-not-found' } })
      expect(Object.keys(hidden.body)).toEqual(Object.keys(absent.body))
      expect(absent.status).toBe(404)
    }
  })
})
