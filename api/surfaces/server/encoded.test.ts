import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'

eachDatabase('compressed bodies', (world) => {
  let app: App
  let secret = ''
  let repo = ''
  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const owner = await givenUser(world, 'zipper')
    secret = (await givenToken(world, owner)).secret
    const { ns, name } = await givenRepo(world, owner)
    repo = `${ns}/${name}`
  })

  const said = 'The only Content-Encoding taken here is identity: send the body uncompressed.'
  test.each([
    ['the native surface', () => `${nativeBase}/repos`, 'application/json', 'detail'],
    ['the hub', () => '/api/repos/create', 'application/json', 'error'],
    ['a commit', () => `/api/models/${repo}/commit/main`, 'application/x-ndjson', 'error'],
    ['LFS', () => `/${repo}.git/info/lfs/objects/batch`, 'application/vnd.git-lfs+json', 'message'],
  ])('%s says that it takes none', async (_, path, type, member) => {
    const send = async (encoding: string, body: string | Buffer<ArrayBuffer>) => {
      const headers = {
        Authorization: `Bearer ${secret}`,
        'Content-Type': type,
        'Content-Encoding': encoding,
      }
      const answer = await app.request(path(), { method: 'POST', headers, body })
      return [answer.status, ((await answer.json()) as Record<string, unknown>)[member]]
    }
    for (const encoding of ['gzip', 'br', 'GZIP, identity'])
      expect(await send(encoding, gzipSync('{"name":"x"}'))).toEqual([415, said])
    expect((await send('identity', '{}'))[0]).not.toBe(415)
  })
})
