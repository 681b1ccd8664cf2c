import { expect, test } from 'vitest'
import { keys } from './keys.ts'
import { loadConfig, quickStart, configEntries } from './index.ts'

const providers = JSON.stringify([
  {
    id: 'corp',
    name: 'Corp',
    issuer: 'https://id.test',
    client_id: 'hub',
    client_secret: 'sealed-word',
    org_mappings: [{ group: 'staff', org: 'lab' }],
  },
])

const entries = configEntries(
  loadConfig({
    env: {
      SERVICE_OIDC_PROVIDERS: providers,
      SERVICE_STORAGE_S3_ACCESS_KEY_ID: 'hub',
      SERVICE_STORAGE_S3_SECRET_ACCESS_KEY: 'hidden-word',
      SERVICE_UPSTREAMS_INNER_BASE_URL: 'https://inner.test',
      SERVICE_UPSTREAMS_INNER_TOKEN: 'token-word',
    },
    set: ['server.max_request_body=1536KiB', 'jobs.lease=90s', 'pull.pull_through.allow=a/*,b/*'],
    lowest: quickStart('/data'),
  }),
)
const at = (key: string) => entries.find((entry) => entry.key === key)

test('each key has the value in force, as a person would write it, and what set it', () => {
  expect(at('server.max_request_body')).toMatchObject({
    value: '1536KiB',
    source: 'flag --set server.max_request_body',
    default: '64MiB',
  })
  expect(at('jobs.lease')).toMatchObject({ value: '90s', source: 'flag --set jobs.lease' })
  expect(at('pull.pull_through.allow')?.value).toBe('a/*, b/*')
  expect(at('server.public_url')).toMatchObject({ value: 'http://localhost:8080', source: 'quick start' })
  expect(at('server.listen')).toMatchObject({ value: ':8080', source: undefined })
  expect(at('pull.bandwidth_limit')).toMatchObject({ value: '0', default: '0' })
})

test('each upstream and each member of a list has lines of its own', () => {
  expect(at('upstreams.inner.base_url')).toMatchObject({
    value: 'https://inner.test',
    source: 'environment variable SERVICE_UPSTREAMS_INNER_BASE_URL',
  })
  expect(at('upstreams.huggingface.base_url')?.source).toBe('built in')
  expect(at('oidc.providers[0].issuer')).toMatchObject({
    value: 'https://id.test',
    source: 'environment variable SERVICE_OIDC_PROVIDERS',
  })
})

test('no secret has a value, only whether it is set', () => {
  expect(at('oidc.providers[0].client_secret')).toMatchObject({
    value: undefined,
    isSecret: true,
    isSet: true,
  })
  expect(at('storage.s3.secret_access_key')).toMatchObject({ value: undefined, isSet: true })
  expect(at('security.instance_key')).toMatchObject({ value: undefined, isSet: false })
  expect(JSON.stringify(entries)).not.toMatch(/sealed-word|hidden-word|token-word/)
})

test('every key of the schema is there', () => {
  const names = entries.map(({ key }) =>
    key.replace(/^upstreams\.[^.]+/, 'upstreams.<id>').replaceAll('[0]', '[]'),
  )
  const expected = keys()
    .filter(({ kind }) => kind !== 'list of objects')
    .map(({ name }) => name)
  expect([...new Set(names)].toSorted()).toEqual(expected.toSorted())
})
