import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { commands } from '../cli/commands.ts'
import { loadConfig } from '../config/index.ts'
import { keys } from '../config/keys.ts'

const folder = fileURLToPath(new URL('../../deploy', import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

interface ComposeService {
  environment: Record<string, string>
}
interface Compose {
  services: Record<string, ComposeService>
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose

/** What a service is given once the person has set what is required of them. */
function environmentOf(service: string): Record<string, string> {
  const key = Buffer.alloc(32, 1).toString('base64')
  const given = Object.entries(compose.services[service]?.environment ?? {})
  const filled = (value: string) =>
    value
      .replace('${PUBLIC_URL:-http://localhost:8080}', 'http://localhost:8080')
      .replace(/\$\{INSTANCE_KEY:\?[^}]*\}/, key)
      .replaceAll(/\$\{\w+:\?[^}]*\}/g, 'a-secret')
  return Object.fromEntries(given.map(([name, value]) => [name, filled(value)]))
}

test.each(files)('every variable that deploy/%s names is one of the configuration', (name) => {
  const named = [...read(name).matchAll(/\bSERVICE_[A-Z0-9_]+\b/g)].map(([variable]) => variable)
  const known = keys().map(({ env }) => env)
  expect(named.filter((variable) => !known.includes(variable))).toEqual([])
})

describe('compose.yaml', () => {
  test.each(['web', 'worker'] as const)('a %s process gets a configuration without faults', (role) => {
    const config = loadConfig({ file: undefined, env: environmentOf(role), set: [] })
    expect(config.server.role).toBe(role)
    expect(config.storage.s3.bucket).toBe('arsenal')
    expect(config.database.driver).toBe('postgres')
  })

  test('all processes have one instance key and one address', () => {
    const [web, worker] = ['web', 'worker'].map(environmentOf)
    expect({ ...web, SERVICE_SERVER_ROLE: '' }).toEqual({ ...worker, SERVICE_SERVER_ROLE: '' })
  })
})

test('the proxy says what it sees, and passes on nothing that the server would believe of a client', () => {
  const set = [...read('nginx.conf').matchAll(/proxy_set_header (X-\S+) (\$\w+);/g)].map(([, ...is]) => is)
  expect(Object.fromEntries(set)).toEqual({
    'X-Forwarded-For': '$remote_addr',
    'X-Forwarded-Proto': '$scheme',
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

test('the image and the chart run a command that there is', () => {
  const words = [
    /^CMD \["(\w+)"\]$/m.exec(read('Dockerfile'))?.[1],
    /args: \[(\w+),/.exec(read('chart/templates/_parts.tpl'))?.[1],
  ]
  expect(words.map((word) => word !== undefined && word in commands)).toEqual([true, true])
})

function flat(value: unknown, path: string[] = []): [string, string][] {
  if (Array.isArray(value)) return [[path.join('.'), value.join(',')]]
  if (typeof value !== 'object' || value === null) return [[path.join('.'), String(value)]]
  return Object.entries(value).flatMap(([name, member]) => flat(member, [...path, name]))
}
