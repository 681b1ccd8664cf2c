import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { afterAll, describe, expect, test } from 'vitest'
import { commands } from '../app/cli/commands.ts'
import { loadConfig } from '../platform/config/index.ts'
import { keys } from '../platform/config/keys.ts'

const folder = fileURLToPath(new URL('../../deploy', import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
// The secrets that a person made for compose.yaml are not files of the repository.
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  .filter((name) => !name.startsWith('secrets/'))

interface ComposeService {
  environment: Record<string, string>
  ports?: string[]
  mem_limit?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
}
interface Compose {
  services: Record<string, ComposeService>
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose

function environmentOf(service: string): Record<string, string> {
  const given = Object.entries(compose.services[service]?.environment ?? {})
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      value.replace('${PUBLIC_URL:-http://localhost:8080}', 'http://localhost:8080'),
    ]),
  )
}

test.each(files)('every variable that deploy/%s names is one of the configuration', (name) => {
  const named = [...read(name).matchAll(/\bSERVICE_[A-Z0-9_]+\b/g)].map(([variable]) => variable)
  const known = ['SERVICE_CONFIG', ...keys().map(({ env }) => env)]
  expect(named.filter((variable) => !known.includes(variable))).toEqual([])
})

describe('compose.yaml', () => {
  const made = mkdtempSync(join(tmpdir(), 'arsenal-secrets-'))
  copyFileSync(join(folder, 'secrets.sh'), join(made, 'secrets.sh'))
  const makeSecrets = () => execFileSync('sh', ['secrets.sh'], { cwd: made, stdio: 'pipe' })
  afterAll(() => rmSync(made, { recursive: true }))

  test('a web and a worker process get a configuration without faults, with secrets from a file', () => {
    makeSecrets()
    for (const role of ['web', 'worker'] as const) {
      const { SERVICE_CONFIG, ...env } = environmentOf(role)
      expect(SERVICE_CONFIG).toBe('/run/secrets/config.yaml')
      const config = loadConfig({ file: join(made, 'secrets', 'config.yaml'), env, set: [] })
      expect(config.server.role).toBe(role)
      expect(config.storage.s3.bucket).toBe('arsenal')
      const password = readFileSync(join(made, 'secrets', 'postgres-password'), 'utf8')
      expect(config.database.dsn).toBe(`postgres://arsenal:${password}@postgres/arsenal`)
      const key = readFileSync(join(made, 'secrets', 's3-secret'), 'utf8')
      expect(config.storage.s3.secret_access_key).toBe(key)
    }
  })

  test('secrets are made once, in a folder for one user alone', () => {
    expect(makeSecrets).toThrow(/deploy\/secrets exists already/)
    expect(statSync(join(made, 'secrets')).mode & 0o777).toBe(0o700)
  })

  test('all processes have one address and one file of secrets', () => {
    const [web, worker] = ['web', 'worker'].map(environmentOf)
    expect({ ...web, SERVICE_SERVER_ROLE: '' }).toEqual({ ...worker, SERVICE_SERVER_ROLE: '' })
  })

  test('nothing is published but the proxy, and that on the loopback address', () => {
    const published = Object.entries(compose.services).map(([name, { ports }]) => [name, ports])
    expect(published.filter(([, ports]) => ports)).toEqual([['proxy', ['127.0.0.1:${PORT:-8080}:8080']]])
  })

  test.each(Object.entries(compose.services))('%s is sealed', (_, service) => {
    const { read_only, cap_drop, security_opt } = service
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })

  test('every service that stays has a memory limit', () => {
    const unlimited = Object.entries(compose.services).filter(([, { mem_limit }]) => mem_limit === undefined)
    expect(unlimited.map(([name]) => name)).toEqual(['bucket'])
  })
})

test('the proxy says what it sees, and passes on nothing that the server would believe of a client', () => {
  const set = [...read('nginx/proxy.conf').matchAll(/proxy_set_header (X-\S+) (\$\w+);/g)].map(
    ([, ...is]) => is,
  )
  expect(Object.fromEntries(set)).toEqual({
    'X-Forwarded-For': '$remote_addr',
    'X-Forwarded-Proto': '$client_scheme',
    'X-Forwarded-Host': '$http_host',
    'X-Request-Id': '$request_id',
  })
})

describe('the chart', () => {
  const values = parse(read('chart/values.yaml')) as { config: Record<string, unknown> }
  const secret = read('chart/templates/secret.yaml')

  test.each(['web', 'worker'] as const)('a %s process gets a configuration without faults', (role) => {
    const set = flat(values.config).map(([key, value]) => `${key}=${value}`)
    const env = {
      SERVICE_SERVER_ROLE: role,
      SERVICE_DATABASE_DSN: 'postgres://arsenal@db/arsenal',
      SERVICE_SECURITY_INSTANCE_KEY: Buffer.alloc(32, 1).toString('base64'),
    }
    expect(
      Object.keys(env)
        .slice(1)
        .every((name) => secret.includes(name)),
    ).toBe(true)
    expect(loadConfig({ file: undefined, env, set }).server.role).toBe(role)
  })

  test('expects TLS, trusts no proxy, limits memory', () => {
    expect(values).toMatchObject({
      insecure: false,
      config: { server: { trusted_proxies: [] } },
      networkPolicy: { enabled: true },
      web: { resources: { limits: { memory: '2Gi' } } },
      worker: { resources: { limits: { memory: '2Gi' } } },
    })
  })

  test('has a value for every one that a template asks for', () => {
    const asked = files
      .filter((name) => name.startsWith('chart/templates/'))
      .flatMap((name) => [...read(name).matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? ''))
    const has = (path: string) =>
      path
        .split('.')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values) !==
      undefined
    expect([...new Set(asked)].filter((path) => !has(path))).toEqual([])
  })
})

test('the image, the chart and the unit run a command that there is', () => {
  const words = [
    /^CMD \["(\w+)"\]$/m.exec(read('Dockerfile'))?.[1],
    /args: \[(\w+),/.exec(read('chart/templates/_parts.tpl'))?.[1],
    /^ExecStart=\S+ \S+main\.js (\w+)/m.exec(read('arsenal.service'))?.[1],
  ]
  expect(words.map((word) => word !== undefined && word in commands)).toEqual([true, true, true])
})

test('the image has the Node that the suite runs the server with, and the options of the bench', () => {
  const versions = [...read('Dockerfile').matchAll(/^FROM node:(\d+)-/gm)].map(([, major]) => major)
  const tool = readFileSync(new URL('toolchain/image-node.mjs', import.meta.url), 'utf8')
  const major = /imageNodeVersion = '(\d+)\./.exec(tool)?.[1]
  expect(versions).toEqual([major, major])
  const options = /imageNodeOptions = '([^']+)'/.exec(tool)?.[1]
  for (const file of ['Dockerfile', 'arsenal.service'])
    expect(/NODE_OPTIONS=(.*)$/m.exec(read(file))?.[1]).toContain(` ${options}`)
})

function flat(value: unknown, path: string[] = []): [string, string][] {
  if (Array.isArray(value)) return [[path.join('.'), value.join(',')]]
  if (typeof value !== 'object' || value === null) return [[path.join('.'), String(value)]]
  return Object.entries(value).flatMap(([name, member]) => flat(member, [...path, name]))
}
