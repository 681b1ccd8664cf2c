import { describe, expect, test } from 'vitest'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Origin } from '../../core/ctx.ts'
import { testConfig } from '../../testing.ts'
import type { Env } from '../../core/http/env.ts'
import { originReader } from './origin.ts'

const config = testConfig('/nowhere', {
  server: {
    public_url: 'https://hub.example.org',
    trusted_proxies: ['10.0.0.0/8', '2001:db8:aa::/48', '192.0.2.1'],
  },
})

async function originFrom(peer: string, headers: Record<string, string>, settings = config): Promise<Origin> {
  const app = new OpenAPIHono<Env>()
  app.get('*', (c) => c.json(originReader(settings)(c)))
  const env = { incoming: { socket: { remoteAddress: peer } } }
  const answer = await app.request('http://inside:8080/x', { headers }, env)
  return (await answer.json()) as Origin
}

describe('the client address', () => {
  test.each([
    ['of a direct client, whatever it claims', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['behind a proxy', '10.1.1.1', '203.0.113.9', '203.0.113.9'],
    ['behind a proxy, claims left of it ignored', '10.1.1.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['behind two proxies', '10.1.1.1', '1.2.3.4, 203.0.113.9, 10.2.2.2', '203.0.113.9'],
    [
      'behind a chain of untrusted hops: the last of them',
      '10.1.1.1',
      '203.0.113.9, 198.51.100.7',
      '198.51.100.7',
    ],
    ['when a proxy itself asks', '10.1.1.1', undefined, '10.1.1.1'],
    ['when the header is nonsense: the nearest hop', '10.1.1.1', 'unknown', '10.1.1.1'],
    ['in IPv6 behind an IPv6 proxy', '2001:db8:aa::1', '2001:db8:ff::9', '2001:db8:ff::9'],
    [
      'as IPv4 where a socket of both families says it in IPv6',
      '::ffff:10.1.1.1',
      '::ffff:203.0.113.9',
      '203.0.113.9',
    ],
    ['without the port some proxies add', '192.0.2.1', '203.0.113.9:4711', '203.0.113.9'],
    ['without brackets and port', '10.1.1.1', '[2001:db8:ff::9]:4711', '2001:db8:ff::9'],
  ])('%s', async (_, peer, forwarded, expected) => {
    const { ip } = await originFrom(peer, forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded })
    expect(ip).toBe(expected)
  })

  test('no header counts where no proxy is trusted', async () => {
    const { ip, baseUrl } = await originFrom(
      '10.1.1.1',
      { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' },
      testConfig('/nowhere'),
    )
    expect({ ip, baseUrl }).toEqual({ ip: '10.1.1.1', baseUrl: 'http://inside:8080' })
  })
})

describe('the address the client used', () => {
  test.each([
    ['is the one it names', '198.51.100.1', {}, 'http://inside:8080'],
    [
      'is not what a stranger forwards',
      '198.51.100.1',
      { 'X-Forwarded-Proto': 'https' },
      'http://inside:8080',
    ],
    [
      'is what a proxy forwards',
      '10.1.1.1',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'hub.example.org:8443' },
      'https://hub.example.org:8443',
    ],
    [
      'keeps the host where a proxy forwards the scheme alone',
      '10.1.1.1',
      { 'X-Forwarded-Proto': 'https' },
      'https://inside:8080',
    ],
    [
      'is never nonsense',
      '10.1.1.1',
      { 'X-Forwarded-Proto': 'gopher', 'X-Forwarded-Host': 'a b/c' },
      'http://inside:8080',
    ],
  ])('%s', async (_, peer, headers, expected) => {
    expect((await originFrom(peer, headers)).baseUrl).toBe(expected)
  })
})

describe('the request id', () => {
  const ours = /^[0-9a-f-]{36}$/
  test.each([
    ['a proxy', '10.1.1.1', { 'X-Request-Id': 'abc-123' }],
    ['a client', '198.51.100.1', { 'X-Request-Id': 'abc-123' }],
    ['a hub client', '198.51.100.1', { 'X-Amzn-Trace-Id': 'abc-123' }],
    ['a client that sends both', '198.51.100.1', { 'X-Request-Id': 'abc-123', 'X-Amzn-Trace-Id': 'x' }],
  ])('is the one that %s gave', async (_, peer, headers) => {
    expect((await originFrom(peer, headers)).requestId).toBe('abc-123')
  })
  test('stands beside ours where it is not from a proxy', async () => {
    const headers = { 'X-Request-Id': 'abc-123' }
    expect((await originFrom('198.51.100.1', headers)).serverId).toMatch(ours)
    expect(await originFrom('10.1.1.1', headers)).not.toHaveProperty('serverId')
  })
  test.each([
    ['none is given', '10.1.1.1', {}],
    ['it would break a log line', '10.1.1.1', { 'X-Request-Id': 'a b' }],
    ['it is too long', '198.51.100.1', { 'X-Request-Id': 'a'.repeat(129) }],
    ['it is a trace of another system', '198.51.100.1', { 'X-Amzn-Trace-Id': 'Root=1-67891233-abc' }],
  ])('is made where %s', async (_, peer, headers) => {
    expect((await originFrom(peer, headers)).requestId).toMatch(ours)
  })
})
