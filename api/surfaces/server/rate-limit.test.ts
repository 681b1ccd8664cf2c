import { OpenAPIHono } from '@hono/zod-openapi'
import { describe, expect, test } from 'vitest'
import { anonymous, type Actor } from '../../core/access/index.ts'
import { buildApp } from '../../app/app.ts'
import { eachDatabase, givenToken, givenUser, testConfig, type World } from '../../testing.ts'
import type { Env } from '../../core/http/env.ts'
import { identifyCaller } from './identify.ts'
import { problemResponse } from '../../core/http/problem-response.ts'
import { rateLimit } from './rate-limit.ts'

const quotas = { api: 3, resolvers: 2, pages: 2 }

function withLimits({ deps }: World) {
  const config = { ...deps.config, security: { ...deps.config.security, rate_limit: true } }
  return { ...deps, config }
}

eachDatabase('limits of requests', (world) => {
  /** A server of nothing but the limits, asked by `actor` from `ip`. */
  function limited() {
    const deps = withLimits(world)
    const app = new OpenAPIHono<Env>()
    let from: { actor: Actor; ip: string } = { actor: anonymous, ip: '192.0.2.1' }
    app.onError((error, c) => problemResponse(c, error))
    app.use((c, next) => {
      c.set('ctx', { ...world.ctx(from.actor), ...deps, origin: { ...world.ctx().origin, ip: from.ip } })
      c.set('headers', {})
      return next().then(() => {
        for (const [name, value] of Object.entries(c.var.headers)) c.res.headers.set(name, value)
      })
    })
    app.use(rateLimit(deps, quotas))
    app.all('*', (c) => c.body(null, 204))
    return (path: string, by: Partial<typeof from> = {}) => {
      from = { actor: anonymous, ip: '192.0.2.1', ...by }
      return Promise.resolve(app.request(path)).then(async (answer) => ({
        status: answer.status,
        left: answer.headers.get('ratelimit'),
        policy: answer.headers.get('ratelimit-policy'),
        retryAfter: answer.headers.get('retry-after'),
        ...(answer.status === 429 && ((await answer.json()) as { detail: string })),
      }))
    }
  }

  test('a caller sees the remaining requests, is refused at zero, and is served again after the stated time', async () => {
    const ask = limited()
    expect(await ask('/api/models')).toEqual({
      status: 204,
      left: '"api";r=2;t=100',
      policy: '"fixed window";"api";q=3;w=300',
      retryAfter: null,
    })
    await ask('/api/models')
    expect(await ask('/api/models')).toMatchObject({ status: 204, left: '"api";r=0;t=300' })
    const refused = { status: 429, left: '"api";r=0;t=100', retryAfter: '100' }
    expect(await ask('/api/service/v1/me')).toMatchObject(refused)
    world.clock.now = new Date(world.clock.now.getTime() + 100_000)
    expect(await ask('/api/models')).toMatchObject({ status: 204 })
    expect(await ask('/api/models')).toMatchObject({ status: 429 })
  })

  describe('what is counted apart', () => {
    test('the bytes of files, pages, and everything else', async () => {
      const ask = limited()
      for (let n = 0; n < 4; n++) await ask('/api/models')
      for (const path of ['/ada/bert/resolve/main/x', '/ada/bert.git/info/refs', '/models', '/login'])
        expect([path, (await ask(path)).status]).toEqual([path, 204])
      expect((await ask('/datasets/ada/d/raw/main/x')).status).toBe(429)
    })

    test('each token, the sessions of a user together, and addresses, of IPv6 whole subscribers', async () => {
      const ask = limited()
      const ada = await givenUser(world, 'ada')
      const [one, other] = [await givenToken(world, ada), await givenToken(world, ada)]
      const callers = [
        {},
        { ip: '192.0.2.2' },
        { ip: '2001:db8::1' },
        { actor: ada },
        { actor: one.actor },
        { actor: other.actor },
      ]
      for (const by of callers) {
        for (let n = 0; n < 3; n++) expect((await ask('/api/models', by)).status).toBe(204)
        expect((await ask('/api/models', by)).status).toBe(429)
      }
      expect((await ask('/api/models', { ip: '2001:db8::2' })).status).toBe(429)
      expect((await ask('/api/models', { ip: '192.0.2.9', actor: ada })).status).toBe(429)
    })
  })

  test('the refusal names the class', async () => {
    const ask = limited()
    const detailAfter = async (quota: number, path: string) => {
      for (let n = 0; n < quota; n++) await ask(path)
      return (await ask(path)).detail
    }
    expect(await detailAfter(3, '/api/service/v1/me')).toBe(
      'Too many requests of the class "api": wait 100 s.',
    )
    expect(await detailAfter(2, '/ada/bert/resolve/main/x')).toContain('the class "resolvers"')
    expect(await detailAfter(2, '/models')).toContain('the class "pages"')
  })

  test('answers of the native API state the limit, errors as well', async () => {
    const deps = withLimits(world)
    const security = { ...deps.config.security, anonymous_read: true }
    const app = buildApp(
      { ...deps, config: { ...deps.config, security } },
      {
        state: 'ready',
        check: async () => undefined,
      },
    )
    const seen = async (path: string) => {
      const { status, headers } = await app.request(path)
      return [status, headers.get('ratelimit'), headers.get('ratelimit-policy'), headers.get('retry-after')]
    }
    const policy = '"fixed window";"api";q=3000;w=300'
    expect(await seen('/api/service/v1/repos?type=models')).toEqual([200, '"api";r=2999;t=1', policy, null])
    expect(await seen('/api/service/v1/repos/models/native/absent')).toEqual([
      404,
      '"api";r=2998;t=1',
      policy,
      null,
    ])
    for (let left = 2997; left >= 0; left--) await seen('/api/service/v1/absent')
    expect(await seen('/api/service/v1/repos?type=models')).toEqual([429, '"api";r=0;t=1', policy, '1'])
  })

  test('credentials that do not hold are counted by address, and those that do by themselves', async () => {
    const deps = withLimits(world)
    const app = new OpenAPIHono<Env>()
    let ip = ''
    app.onError((error, c) => problemResponse(c, error))
    app.use((c, next) => {
      c.set('ctx', { ...world.ctx(anonymous), ...deps, origin: { ...world.ctx().origin, ip } })
      c.set('headers', {})
      return next()
    })
    app.use(identifyCaller(rateLimit(deps, quotas)))
    app.all('*', (c) => c.body(null, 204))
    const ask = async (Authorization: string, from = '192.0.2.50') => {
      ip = from
      return (await app.request('/api/models', { headers: { Authorization } })).status
    }
    const { secret } = await givenToken(world, await givenUser(world, 'bearer'))
    for (const bad of ['Bearer hf_wrong', 'Token x', 'Bearer hf_other']) expect(await ask(bad)).toBe(401)
    expect(await ask('Bearer hf_wrong')).toBe(429)
    expect(await ask('Bearer hf_wrong', '192.0.2.51')).toBe(401)
    for (let n = 0; n < 3; n++) expect(await ask(`Bearer ${secret}`)).toBe(204)
    expect(await ask(`Bearer ${secret}`)).toBe(429)
  })

  test('a server counts them too', async () => {
    const app = buildApp(withLimits(world), { state: 'ready', check: async () => undefined })
    const ask = () => app.request('/api/agent-harnesses', { headers: { Authorization: 'Bearer hf_wrong' } })
    const lefts = [await ask(), await ask()].map(({ headers }) => headers.get('ratelimit')?.split(';')[1])
    expect(lefts).toEqual(['r=2999', 'r=2998'])
  })

  test('a server limits nothing by default, and with a limit every answer states it', async () => {
    expect(testConfig(world.dir).security.rate_limit).toBe(false)
    const leftAt = async (deps: World['deps']) => {
      const app = buildApp(deps, { state: 'ready', check: async () => undefined })
      return (await app.request('/api/agent-harnesses')).headers.get('ratelimit')
    }
    expect(await leftAt(world.deps)).toBeNull()
    expect(await leftAt(withLimits(world))).toBe('"api";r=2999;t=1')
  })
})
