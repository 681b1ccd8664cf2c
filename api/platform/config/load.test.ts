import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig, quickStart, type Fault, type Sources } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const url = 'server.public_url=http://hub.test'

function yaml(text: string): string {
  const file = join(folder, `${Math.random()}.yaml`)
  writeFileSync(file, text)
  return file
}

function faults(sources: Sources): Fault[] {
  try {
    loadConfig(sources)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

describe('sources', () => {
  test('a public URL is all that must be set', () => {
    const config = loadConfig({ set: [url] })
    expect(config.server).toMatchObject({ public_url: 'http://hub.test', listen: ':8080', role: 'all' })
    expect(config.server.max_request_body).toBe(64 * 1024 * 1024)
    expect(config.repos.restore_window).toBe(168 * 3_600_000)
    expect(config.viewer.max_request_bytes).toBe(300_000_000)
    expect(config.pull.pull_through.allow).toEqual(['*'])
  })

  test('flags win over the environment, the environment over the file, the file over the lowest layer', () => {
    const file = yaml(
      'server: { listen: ":1001", role: worker, timezone: Europe/London }\ndatabase: { driver: postgres }',
    )
    const config = loadConfig({
      file,
      env: {
        SERVICE_SERVER_LISTEN: ':1002',
        SERVICE_SERVER_ROLE: 'web',
        SERVICE_DATABASE_DSN: 'postgres://h/d',
      },
      set: [url, 'server.listen=:1003'],
      lowest: () => ({ 'server.timezone': 'Asia/Tokyo', 'storage.fs.path': '/low' }),
    })
    expect(config.server).toMatchObject({ listen: ':1003', role: 'web', timezone: 'Europe/London' })
    expect(config.storage.fs.path).toBe('/low')
  })

  test('SERVICE_CONFIG names the file', () => {
    const file = yaml('server:\n  public_url: https://hub.test/\n  data_dir:\n')
    const config = loadConfig({ env: { SERVICE_CONFIG: file } })
    expect(config.server).toMatchObject({ public_url: 'https://hub.test', data_dir: '/var/lib/service' })
  })

  test('lists are separated by commas, providers are JSON, sizes and durations have units', () => {
    const provider = {
      id: 'sso',
      name: 'Sign in',
      issuer: 'https://id.test',
      client_id: 'c',
      claims: { groups: 'roles' },
    }
    const config = loadConfig({
      env: {
        SERVICE_SERVER_PUBLIC_URL: 'http://hub.test',
        SERVICE_SERVER_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
        SERVICE_OIDC_PROVIDERS: JSON.stringify([provider]),
        SERVICE_GIT_MAX_BLOB_SIZE: '20MiB',
        SERVICE_SERVER_SHUTDOWN_TIMEOUT: '1m30s',
        SERVICE_SECURITY_LOCAL_LOGIN: 'false',
      },
    })
    expect(config.server.trusted_proxies).toEqual(['10.0.0.0/8', 'fd00::/8'])
    expect(config.oidc.providers[0]).toMatchObject({ id: 'sso', scopes: ['openid', 'profile', 'email'] })
    expect(config.oidc.providers[0]?.claims).toMatchObject({
      username: 'preferred_username',
      groups: 'roles',
    })
    expect(config.git.max_blob_size).toBe(20 * 1024 * 1024)
    expect(config.server.shutdown_timeout).toBe(90_000)
    expect(config.security.local_login).toBe(false)
  })

  test('upstreams are keyed by id; the built-in one keeps its address', () => {
    const config = loadConfig({
      env: {
        SERVICE_UPSTREAMS_HUGGINGFACE_TOKEN: 'hf_x',
        SERVICE_UPSTREAMS_LAB_BASE_URL: 'https://lab.test',
      },
      set: [url, 'upstreams.lab.enabled=false'],
    })
    expect(config.upstreams['huggingface']).toMatchObject({
      base_url: 'https://huggingface.co',
      token: 'hf_x',
      enabled: true,
    })
    expect(config.upstreams['lab']).toMatchObject({ base_url: 'https://lab.test', enabled: false })
  })

  test('ids of upstreams may hold - and _, for which a variable has _', () => {
    const config = loadConfig({
      file: yaml('upstreams: { my-lab: { base_url: "https://lab.test" }, our_hub: { enabled: false } }'),
      env: {
        SERVICE_UPSTREAMS_MY_LAB_TOKEN: 'hf_x',
        SERVICE_UPSTREAMS_OUR_HUB_BASE_URL: 'https://hub.test',
        SERVICE_UPSTREAMS_NEAR_BY_BASE_URL: 'https://near.test',
        SERVICE_UPSTREAMS_A_NEW_ONE_BASE_URL: 'https://new.test',
      },
      set: [url, 'upstreams.near-by.enabled=false'],
    })
    expect(Object.keys(config.upstreams).toSorted()).toEqual([
      'a_new_one',
      'huggingface',
      'my-lab',
      'near-by',
      'our_hub',
    ])
    expect(config.upstreams['my-lab']).toMatchObject({ base_url: 'https://lab.test', token: 'hf_x' })
    expect(config.upstreams['near-by']).toMatchObject({ base_url: 'https://near.test', enabled: false })
  })

  test('the quick start keeps everything in one folder and follows the port', () => {
    const config = loadConfig({ set: ['server.listen=:9000'], lowest: quickStart('/here') })
    expect(config.server).toMatchObject({ public_url: 'http://localhost:9000', data_dir: '/here' })
    expect([config.database.dsn, config.storage.fs.path, config.git.cache_dir]).toEqual([
      '/here/service.db',
      '/here/blobs',
      '/here/cache/git',
    ])
  })
})

describe('the address of the chunk endpoints', () => {
  const casUrl = (value: string) => loadConfig({ set: [url, `chunk.cas_url=${value}`] }).chunk.cas_url

  test.each([
    ['', ''],
    ['/chunk-cas/r2', '/chunk-cas/r2'],
    ['/chunk-cas/', '/chunk-cas'],
    ['https://cas.test', 'https://cas.test'],
    ['https://cas.test:8443/a/b.c/', 'https://cas.test:8443/a/b.c'],
  ])('may be "%s"', (value, read) => {
    expect(casUrl(value)).toBe(read)
  })

  test.each([
    'chunk-cas',
    'ftp://cas.test/x',
    'https://cas.test/x?y=1',
    'https://u:p@cas.test/x',
    'https://cas.test/a//b',
    'https://cas.test/a/../b',
    'https://cas.test/:ns',
    'https://cas.test/*',
    '//cas.test/x',
    '/api/service/v1',
  ])('may not be "%s"', (value) => {
    expect(() => casUrl(value)).toThrow(/chunk\.cas_url/)
  })

  test('needs tokens that live for five minutes or longer', () => {
    expect(() => loadConfig({ set: [url, 'chunk.token_ttl=299s'] })).toThrow(/chunk\.token_ttl/)
    expect(loadConfig({ set: [url, 'chunk.token_ttl=5m'] }).chunk.token_ttl).toBe(300_000)
  })
})

describe('faults', () => {
  test('every fault of every source is reported at once, with its key and source', () => {
    const file = yaml('server: { public_url: ftp://x }\ngit: { timout: 1h }\njobs: { workers: none }')
    const found = faults({
      file,
      env: { SERVICE_GC_SCHEDULE: 'daily', SERVICE_DATABASE_DRIVERS: 'x' },
      set: ['lfs.verify_wait=soon', 'server.role=web', 'nonsense'],
    })
    expect(found.map(({ key, source }) => [key, source])).toEqual([
      ['SERVICE_DATABASE_DRIVERS', 'environment variable SERVICE_DATABASE_DRIVERS'],
      ['nonsense', 'flag --set nonsense'],
      ['server.public_url', `file ${file}`],
      ['git.timout', `file ${file}`],
      ['lfs.verify_wait', 'flag --set lfs.verify_wait'],
      ['jobs.workers', `file ${file}`],
      ['gc.schedule', 'environment variable SERVICE_GC_SCHEDULE'],
      ['server.role', 'flag --set server.role'],
    ])
    expect(found[0]?.message).toContain('did you mean SERVICE_DATABASE_DRIVER?')
    expect(found[3]?.message).toContain('did you mean git.timeout?')
  })

  test('a missing public URL is reported as not set', () => {
    expect(faults({})).toEqual([
      { key: 'server.public_url', source: 'not set', message: expect.stringContaining('required') as string },
    ])
  })

  test.each([
    ['server.role', ['server.role=worker']],
    ['database.dsn', ['database.driver=postgres']],
    ['database.dsn', ['database.dsn=postgres://h/d']],
    [
      'database.max_open_conns',
      ['database.driver=postgres', 'database.dsn=postgres://h/d', 'database.max_open_conns=1'],
    ],
    ['upstreams', ['upstreams.a-b.base_url=https://a.test', 'upstreams.a_b.base_url=https://b.test']],
    ['upstreams.-a', ['upstreams.-a.base_url=https://a.test']],
    ['git.pack_grace_period', ['git.pack_grace_period=30m']],
    ['git.cache_size', ['git.cache_size=3GiB']],
    ['gc.grace_period', ['gc.grace_period=1h']],
    ['git.max_blob_size', ['hubapi.regular_upload_max=11MiB']],
    ['storage.s3.bucket', ['storage.backend=s3', 'storage.s3.bucket=']],
    ['storage.s3.bucket', ['storage.s3.bucket=No_Bucket']],
    ['storage.s3.endpoint', ['storage.s3.endpoint=https://store.example.com/path']],
    ['storage.s3.prefix', ['storage.s3.prefix=a//b']],
    ['storage.s3.secret_access_key', ['storage.s3.access_key_id=a']],
    ['upstreams', ['upstreams.lab.enabled=true']],
    ['security.instance_key', ['security.instance_key=short']],
    ['security.outbound_allow', ['security.outbound_allow=webhook=10.0.0.0/8,mail=10.0.0.0/8']],
    ['server.trusted_proxies', ['server.trusted_proxies=10.0.0.0/33']],
    ['server.timezone', ['server.timezone=Mars/Olympus']],
    ['server.listen', ['server.listen=8080']],
    ['pull.windows', ['pull.windows=25:00-07:00']],
    ['telemetry.log_level', ['telemetry.log_level=trace']],
    ['storage.s3.presign_ttl', ['storage.s3.presign_ttl=200h']],
    ['oidc.providers[0].issuer', ['oidc.providers=[{"id":"a","name":"A","client_id":"c"}]']],
  ])('%s is faulty after %j', (key, set) => {
    expect(faults({ set: [url, ...set] }).map((fault) => fault.key)).toEqual([key])
  })

  test('a fault never repeats a secret', () => {
    const set = [
      url,
      'security.instance_key=c4nary',
      'oidc.providers=[{"client_secret":"c4nary"',
      'database.dsn=postgres://u:c4nary@h/d',
    ]
    const found = faults({ set, env: { SERVICE_STORAGE_S3_SECRET_ACCESS_KEY: 'c4nary' } })
    expect(found).toHaveLength(4)
    expect(new ConfigError(found).message).not.toContain('c4nary')
  })

  test('a file that cannot be read or is not YAML is a fault beside the others', () => {
    expect(faults({ file: join(folder, 'absent.yaml') }).map((fault) => fault.key)).toEqual([
      '--config',
      'server.public_url',
    ])
    expect(faults({ file: yaml('server: [') }).map((fault) => fault.key)).toContain('--config')
    expect(faults({ file: yaml('server: 5'), set: [url] }).map((fault) => fault.key)).toEqual(['server'])
  })
})

describe('a warning', () => {
  const warningsOf = (sources: Sources) => {
    const texts: string[] = []
    loadConfig(sources, (text) => texts.push(text))
    return texts
  }
  test('is not given without a cause', () => {
    expect(warningsOf({ set: [url] })).toEqual([])
  })
  test('says that clients name chunks for longer than they are kept', () => {
    expect(warningsOf({ set: [url, 'chunk.xorb_retention=504h'] })).toHaveLength(1)
  })
})
