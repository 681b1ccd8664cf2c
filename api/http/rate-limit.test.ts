import { expect, test } from 'vitest'
import { eachDatabase, givenToken, givenUser, testConfig } from '../testing.ts'
import { buildApp } from '../app.ts'
import { nativeBase } from './reference.ts'

const quota = 3000

eachDatabase('limits of requests', (world) => {
  const appWith = (rate_limit: boolean) => {
    const config = { ...world.deps.config, security: { ...world.deps.config.security, rate_limit } }
    return buildApp({ ...world.deps, config }, { state: 'ready', check: async () => undefined })
  }
  const spend = async (app: ReturnType<typeof appWith>, path: string, headers: Record<string, string>) => {
    let answer = await app.request(path, { headers })
    for (let n = 1; n < quota; n++) answer = await app.request(path, { headers })
    return answer
  }

  test('there are none unless they are turned on', async () => {
    expect(testConfig(world.dir).security.rate_limit).toBe(false)
    const answer = await appWith(false).request('/api/agent-harnesses')
    expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null])
  })

  test('a caller is told what is left, refused when nothing is, and served again after the time named', async () => {
    const app = appWith(true)
    const ada = await givenUser(world, 'ada')
    const headers = { Authorization: `Bearer ${(await givenToken(world, ada)).secret}` }
    const first = await app.request('/api/agent-harnesses', { headers })
    expect(first.headers.get('ratelimit')).toBe('"api";r=2999;t=1')
    expect(first.headers.get('ratelimit-policy')).toBe('"fixed window";"api";q=3000;w=300')
    const last = await spend(app, '/api/agent-harnesses', headers)
    expect(last.status).toBe(429)
    expect(last.headers.get('ratelimit')).toBe('"api";r=0;t=1')
    expect([last.headers.get('retry-after'), last.headers.get('x-error-message')]).toEqual([
      '1',
      'Too many requests: wait 1 s.',
    ])
    const native = await app.request(`${nativeBase}/me`, { headers })
    expect([native.status, await native.json()]).toMatchObject([429, { code: 'throttled' }])
    // Another Token, an address and another class have buckets of their own.
    const other = { Authorization: `Bearer ${(await givenToken(world, ada)).secret}` }
    for (const [path, by] of [
      ['/api/agent-harnesses', other],
      ['/api/agent-harnesses', {}],
      ['/ada/none/resolve/main/x', headers],
    ] as const)
      expect((await app.request(path, { headers: by })).status).not.toBe(429)
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    expect((await app.request('/api/agent-harnesses', { headers })).status).toBe(200)
  })
})
