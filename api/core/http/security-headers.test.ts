import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../access/index.ts'
import { buildApp } from '../../app/app.ts'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { answerHeaders, answerPolicy } from './security-headers.ts'

eachDatabase('headers of answers', (world) => {
  let owner: UserActor
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    const repo = await givenRepo(world, owner, { name: 'tiny', visibility: 'public' })
    await givenCommit(world, owner, repo, [add('a.txt')])
  })

  const withConfig = (change: { publicUrl?: string; anonymousRead?: boolean }) => {
    const { config } = world.deps
    const { publicUrl = config.server.public_url, anonymousRead = false } = change
    const deps = {
      ...world.deps,
      config: {
        ...config,
        server: { ...config.server, public_url: publicUrl },
        security: { ...config.security, anonymous_read: anonymousRead },
      },
    }
    return buildApp(deps, { state: 'ready', check: async () => undefined })
  }

  test('what is answered by a right that not everyone has is kept nowhere, failures included', async () => {
    const Authorization = `Bearer ${(await givenToken(world, owner)).secret}`
    const app = withConfig({ anonymousRead: true })
    const native = '/api/service/v1'
    for (const path of [
      `${native}/me`,
      `${native}/repos/models/owner/tiny`,
      `${native}/repos/models/owner/absent`,
      '/api/whoami-v2',
      '/api/models/owner/tiny',
      '/api/models/owner/tiny/tree/main',
      '/api/models/owner/absent',
      '/owner/absent/resolve/main/a.txt',
    ]) {
      const answer = await app.request(path, { headers: { Authorization } })
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'private, no-store'])
    }
  })

  test('a handler that says how long its answer may be kept is left alone', async () => {
    const app = withConfig({ anonymousRead: true })
    const path = '/owner/tiny/resolve/main/a.txt'
    const file = await app.request(path)
    const etag = file.headers.get('etag') ?? ''
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
    const known = await app.request(path, { headers: { 'If-None-Match': etag } })
    expect([known.status, known.headers.get('cache-control'), known.headers.get('etag')]).toEqual([
      304,
      'public, no-cache',
      etag,
    ])
    const avatar = await app.request('/avatars/owner.svg')
    expect(avatar.headers.get('cache-control')).toBe('public, max-age=300')
  })

  test('browsers are kept to https where the server is reached by it', async () => {
    const sts = async (publicUrl: string) => {
      const answer = await withConfig({ publicUrl }).request('/api/service/v1/me')
      return answer.headers.get('strict-transport-security')
    }
    expect(await sts('https://hub.example')).toBe('max-age=31536000')
    expect(await sts('http://hub.example')).toBeNull()
  })

  test('the policy of pages goes with every answer', () => {
    const headers = answerHeaders('r', answerPolicy(world.deps.config))
    expect(headers).toMatchObject({
      'X-Request-Id': 'r',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': expect.stringContaining("script-src 'self'"),
    })
  })
})
