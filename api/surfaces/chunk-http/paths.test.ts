import { describe, expect, test } from 'vitest'
import { testConfig } from '../../testing.ts'
import { secretsFrom } from '../../platform/secrets/index.ts'
import { casCallOf, casOwns } from './paths.ts'
import { casUrlOf } from '../../rooms/chunk/cas-url.ts'

const hash = 'a'.repeat(64)
const configOf = (cas_url: string) => testConfig('/tmp', { chunk: { cas_url } })

describe('what an address asks for', () => {
  const bases = ['/chunk-cas/0123456789abcdef', '/chunk-cas', '/chunk-cas/r2/0123456789abcdef', '/a/b/c/d']
  test.each([
    [`/v1/xorbs/default/${hash}`, { kind: 'xorb', prefix: 'default', hash }],
    [`/xorbs/default/${hash}`, { kind: 'xorb', prefix: 'default', hash }],
    [`/xorb/default-merkledb/${hash}`, { kind: 'xorb', prefix: 'default-merkledb', hash }],
    [`/v1/chunks/default/${hash}`, { kind: 'chunk', prefix: 'default', hash }],
    [`/chunks/default/${hash}`, { kind: 'chunk', prefix: 'default', hash }],
    [`/chunk/default/${hash}`, { kind: 'chunk', prefix: 'default', hash }],
    [`/v1/xorb-grants/default/${hash}`, { kind: 'grant' }],
    [`/v1/xorb-commits/default/${hash}/grant/1`, { kind: 'grant' }],
    ['/v2/shards', { kind: 'shard-stream' }],
    ['/v1/shards', { kind: 'shard' }],
    ['/shards', { kind: 'shard' }],
    [`/shard/default/${hash}`, { kind: 'shard' }],
    ['/v1/telemetry', { kind: 'telemetry' }],
    ['/v1/reconstructions', { kind: 'download' }],
    [`/v2/reconstructions/${hash}`, { kind: 'download' }],
    [`/v2/file-chunk-hashes/${hash}`, { kind: 'download' }],
    [`/v1/files/${hash}`, { kind: 'download' }],
    ['/v3/shards/', undefined],
    ['/v1/xorbs/default', undefined],
    ['', undefined],
  ])('%s, below any number of segments', (end, call) => {
    for (const base of bases) expect(casCallOf(base + end)).toEqual(call)
  })
})

describe('the place of the endpoints', () => {
  const secrets = secretsFrom([Buffer.alloc(32, 1).toString('base64')])
  const tag = secrets.tagOf('cas-tag', 'ada')
  const urlFor = (cas_url: string) => casUrlOf({ config: configOf(cas_url), secrets }, 'ada')

  test.each([
    ['', 'http://localhost:8080/chunk-cas'],
    ['/chunk-cas/r2', 'http://localhost:8080/chunk-cas/r2'],
    ['https://cas.test', 'https://cas.test'],
    ['https://cas.test:8443/a/b', 'https://cas.test:8443/a/b'],
  ])('with chunk.cas_url "%s" is %s and the tag of the user', (cas_url, base) => {
    expect(urlFor(cas_url)).toBe(`${base}/${tag}`)
  })

  test('is another for every user', () => {
    expect(casUrlOf({ config: configOf(''), secrets }, 'bob')).not.toBe(urlFor(''))
  })

  const xorb = `/v1/xorbs/default/${hash}`
  test.each([
    ['', `/chunk-cas/${tag}${xorb}`, true],
    ['', '/chunk-cas/whatever', true],
    ['', `/other/${tag}${xorb}`, false],
    ['/chunk-cas/r2', `/chunk-cas/r2/${tag}${xorb}`, true],
    // A client that began an upload before the address changed can end it.
    ['/chunk-cas/r2', `/chunk-cas/${tag}${xorb}`, true],
    ['https://cas.test/a/b', `/a/b/${tag}/v2/shards`, true],
    ['https://cas.test/a/b', '/a/b/resolve/main/config.json', false],
    ['https://cas.test/a/b', `/chunk-cas/${tag}/v2/shards`, true],
    ['https://cas.test', `/${tag}/v2/shards`, true],
    ['https://cas.test', '/alice/shards', false],
    ['https://cas.test', `/${tag}/resolve/main/config.json`, false],
  ])('with chunk.cas_url "%s", %s is theirs: %s', (cas_url, path, owned) => {
    expect(casOwns(configOf(cas_url))(path)).toBe(owned)
  })
})
