import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import type { Config } from '../../platform/config/index.ts'
import { deleteRepo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { ChunkSite, failure, ready, shard, xorb, xorbHash, type Issued } from '../../rooms/chunk/testing.ts'

eachDatabase('who may call the endpoints that take chunks, and where', (world) => {
  let site: ChunkSite
  beforeAll(async () => {
    site = await new ChunkSite().open(world, 'ada')
  })
  const appWith = (config: Partial<Config>) =>
    buildApp({ ...world.deps, config: { ...world.deps.config, ...config } }, ready)

  describe('a caller', () => {
    const calls: [string, string, Buffer?][] = [
      ['POST', `/v1/xorbs/default/${xorbHash}`, xorb],
      ['POST', '/v2/shards', shard],
      ['POST', '/v1/shards', shard],
      ['GET', `/v1/chunks/default/${xorbHash}`],
      ['POST', '/v1/telemetry', Buffer.from('{}')],
      ['GET', '/anything'],
    ]

    test.each(calls)('without a good write token is 401: %s %s', async (method, path, body) => {
      const bad = ['', `Bearer ${site.hubToken}`, 'Bearer xw1.x.y', 'Basic YTpi', `Bearer ${site.token}x`]
      for (const Authorization of bad) {
        const answer = await site.ask(method, path, body, { Authorization })
        expect(answer.headers.get('www-authenticate')).toContain('Bearer')
        expect((await failure(answer))[0]).toBe(401)
      }
    })

    test('who may write no longer is 403', async () => {
      const gone = await new ChunkSite().open(world, 'gone')
      await deleteRepo(world.ctx(), gone.repo)
      for (const [method, path, body] of calls.slice(0, 3))
        expect((await failure(await gone.ask(method, path, body)))[0]).toBe(403)
    })

    test('is not who a cookie says', async () => {
      const { secret } = await givenUser(world, 'cookie')
      const headers = { Authorization: '', Cookie: `service_session=${secret}` }
      expect((await site.ask('POST', '/v2/shards', shard, headers)).status).toBe(401)
    })

    test('may use no write token anywhere else', async () => {
      const answer = await site.app.request('/api/whoami-v2', {
        headers: { Authorization: `Bearer ${site.token}` },
      })
      expect(answer.status).toBe(401)
    })

    test('in a browser of any origin may call', async () => {
      const asked = { Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST', Authorization: '' }
      const answer = await site.ask('OPTIONS', `/v1/xorbs/default/${xorbHash}`, undefined, asked)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
      expect(answer.headers.get('access-control-allow-headers')).toContain('X-Xet-Session-Id')
    })
  })

  test('a server that refuses chunks says what to do', async () => {
    const app = appWith({ hubapi: { ...world.deps.config.hubapi, chunk: 'reject' } })
    const refusing = Object.assign(new ChunkSite(), site, { app })
    for (const [method, path, body] of [
      ['POST', `/v1/xorbs/default/${xorbHash}`, xorb],
      ['GET', '/x'],
    ] as const)
      expect(await failure(await refusing.ask(method, path, body))).toEqual([
        403,
        expect.stringContaining('HF_HUB_DISABLE_XET=1'),
      ])
  })

  test.each(['/chunk-cas/r2', 'https://cas.test/of/chunks', 'https://cas.test'])(
    'they are found at %s',
    async (cas_url) => {
      const app = appWith({ chunk: { ...world.deps.config.chunk, cas_url } })
      const issued = await app.request(`/api/models/ada/${site.repo.name}/xet-write-token`, {
        headers: { Authorization: `Bearer ${site.hubToken}` },
      })
      const { casUrl, accessToken } = (await issued.json()) as Issued
      expect(casUrl.startsWith(new URL(cas_url, 'http://localhost:8080').href.replace(/\/$/, ''))).toBe(true)
      const headers = { Authorization: `Bearer ${accessToken}` }
      for (const base of [new URL(casUrl).pathname, site.cas]) {
        const sent = await app.request(`${base}/v1/xorbs/default/${xorbHash}`, {
          method: 'POST',
          headers,
          body: xorb,
        })
        expect(sent.status).toBe(200)
        // hf-xet 1.8 gives up on everything but 404, and believes a 200 that the xorb is stored.
        const grant = `${base}/v1/xorb-grants/default/${xorbHash}`
        const body = JSON.stringify({ length: 20, checksum: { algo: 'crc64nvme', value: '1' } })
        const asked = await app.request(grant, { method: 'POST', headers, body })
        expect([asked.status, await asked.json()]).toEqual([
          404,
          { error: expect.stringContaining('/v1/xorbs'), message: expect.any(String) },
        ])
        expect((await app.request(grant, { method: 'POST', body })).status).toBe(401)
      }
    },
  )
})
