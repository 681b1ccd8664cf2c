import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { givenProvider, type TestProvider } from '../../rooms/auth/oidc/testing.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-oidc-'))
afterAll(() => rmSync(folder, { recursive: true }))

let idp: TestProvider
beforeEach(async () => {
  idp = await givenProvider()
  idp.answers['/token'] = () => ({ status: 400, body: { error: 'invalid_grant' } })
})
afterEach(() => idp.close())

async function check(...words: string[]) {
  let [out, err] = ['', '']
  const provider = {
    id: 'corp',
    name: 'Corp',
    issuer: idp.issuer,
    client_id: 'arsenal',
    client_secret: 's3cret',
  }
  const env = { SERVICE_TELEMETRY_LOG_LEVEL: 'error', SERVICE_OIDC_PROVIDERS: JSON.stringify([provider]) }
  const shell = { env, out: (text: string) => (out += text), err: (text: string) => (err += text) }
  const status = await run(['oidc', 'check', ...words, '--quick-start', folder], shell)
  return { status, out, err }
}

test('a provider that is set up is good in all points', async () => {
  const { status, out } = await check('corp')
  expect(status).toBe(0)
  expect(out.split('\n').map((line) => line.replaceAll(idp.issuer, 'ISSUER'))).toEqual([
    'ok    Register this redirect URI: http://localhost:8080/auth/oidc/corp/callback',
    'ok    Discovery: the issuer is ISSUER',
    'ok    Signatures: RS256, ES256, EdDSA',
    'ok    Keys: 1 at ISSUER/keys',
    expect.stringMatching(/^ok {4}Clock: the provider's is \d+ s (behind|ahead of) ours$/),
    'ok    Client: the provider knows client_id "arsenal" and its secret',
    '',
  ])
})

test.each([
  [
    'no discovery document',
    () => delete idp.answers['/.well-known/openid-configuration'],
    /Discovery of .*: .* answered 404/,
  ],
  [
    'another issuer',
    () => Object.assign(idp.document, { issuer: 'https://other.example' }),
    /names the issuer https:\/\/other\.example/,
  ],
  [
    'signatures that are not accepted',
    () => Object.assign(idp.document, { id_token_signing_alg_values_supported: ['HS256'] }),
    /Signatures: it offers HS256; needed is one of RS256/,
  ],
  ['no keys', () => (idp.answers['/keys'] = () => ({ body: { keys: [] } })), /Keys: .* holds none/],
  ['keys that cannot be reached', () => delete idp.answers['/keys'], /Keys: \/keys answered 404/],
  [
    'a clock that is off',
    () => {
      const headers = { Date: new Date(Date.now() - 300_000).toUTCString() }
      idp.answers['/keys'] = () => ({ headers, body: { keys: [idp.jwk] } })
    },
    /Clock: the provider's is (299|300|301) s behind ours; more than 60 s fails every sign-in/,
  ],
  [
    'a secret that the provider refuses',
    () => (idp.answers['/token'] = () => ({ status: 401, body: { error: 'invalid_client' } })),
    /Client: client_id "arsenal" or its secret is refused: .*invalid_client/,
  ],
] as const)('%s is found', async (_, spoil, message) => {
  spoil()
  const { status, out } = await check('corp')
  expect(status).toBe(1)
  expect(
    out
      .split('\n')
      .filter((line) => line.startsWith('FAIL'))
      .join('\n'),
  ).toMatch(message)
})

test('another provider is refused with those that exist', async () => {
  expect(await check('other')).toEqual({
    status: 1,
    out: '',
    err: 'There is no provider "other". Configured: corp.\n',
  })
  expect(await check()).toMatchObject({ status: 2, err: 'Name one provider.\n' })
})
