import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { keepSecret, openSecrets, secretsFile, secretsFrom } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'secrets-'))
afterAll(() => rmSync(root, { recursive: true }))

const newKey = () => randomBytes(32).toString('base64')
const newFolder = () => join(root, randomBytes(4).toString('hex'))
const secrets = secretsFrom([newKey()])

describe('sealing', () => {
  test('opens in its context alone, and never twice the same', () => {
    const sealed = secrets.seal('token:1', 'hf_café')
    expect(secrets.open('token:1', sealed)).toBe('hf_café')
    expect(secrets.open('token:2', sealed)).toBeUndefined()
    expect(secrets.seal('token:1', 'hf_café')).not.toBe(sealed)
    expect(sealed).not.toContain('hf_')
  })

  test('an altered, cut or foreign text does not open', () => {
    const sealed = secrets.seal('a', 'text')
    const flipped = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
    for (const bad of [flipped, sealed.slice(0, 20), '', 'v1..', secretsFrom([newKey()]).seal('a', 'text')]) {
      expect(secrets.open('a', bad)).toBeUndefined()
    }
  })

  test('what an earlier key sealed still opens', () => {
    const [before, after] = [newKey(), newKey()]
    const sealed = secretsFrom([before]).seal('a', 'text')
    expect(secretsFrom([after, before]).open('a', sealed)).toBe('text')
    expect(secretsFrom([after]).open('a', sealed)).toBeUndefined()
  })
})

describe('signed URLs', () => {
  const soon = new Date('2030-01-01T00:00:00Z')
  const before = new Date('2029-12-31T23:59:59Z')
  const url = secrets.signUrl('GET', 'http://127.0.0.1:8080/lfs/ab?repo=r1&size=5', soon)

  test('hold until they expire, under any host name and for HEAD', () => {
    expect(secrets.verifyUrl('GET', url, before)).toBe('valid')
    expect(secrets.verifyUrl('HEAD', url.replace('127.0.0.1:8080', 'hub.test'), before)).toBe('valid')
    expect(secrets.verifyUrl('GET', url, soon)).toBe('expired')
  })

  test.each([
    ['another method', 'PUT', url],
    ['another path', 'GET', url.replace('/ab', '/cd')],
    ['another parameter', 'GET', url.replace('size=5', 'size=6')],
    ['one parameter more', 'GET', `${url}&user=u`],
    ['a later expiry', 'GET', url.replace(/exp=\d+/, 'exp=9999999999')],
    ['two signatures', 'GET', `${url}&sig=x`],
    ['no signature', 'GET', url.replace(/&sig=.*/, '')],
  ])('%s makes them invalid', (_, method, altered) => {
    expect(secrets.verifyUrl(method, altered, before)).toBe('invalid')
  })
})

test('a cursor opens in its own list alone', () => {
  const context = ['GET /repos', { q: 'a' }, 'member', 'updated']
  const cursor = secrets.signCursor(context, ['2026-01-01', 'id'])
  expect(secrets.openCursor(context, cursor)).toEqual(['2026-01-01', 'id'])
  expect(secrets.openCursor(['GET /repos', {}, 'member', 'updated'], cursor)).toBeUndefined()
  expect(secrets.openCursor(context, `${cursor.slice(0, -1)}_`)).toBeUndefined()
  expect(secrets.openCursor(context, '')).toBeUndefined()
})

describe('signed tokens', () => {
  const payload = { u: 'user', exp: 1 }
  const token = secrets.signToken('writing', payload)

  test('carry their payload in text that any header takes', () => {
    expect(secrets.openToken('writing', token)).toEqual(payload)
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/)
  })

  const [body = '', mac = ''] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ ...payload, u: 'admin' })).toString('base64url')
  test.each([
    ['with another payload', `${forged}.${mac}`],
    ['without a signature', body],
    ['with an empty one', `${body}.`],
    ['cut', token.slice(0, -1)],
    ['with something behind it', `${token}.x`],
    ['with other spare bits', `${body}.${mac.slice(0, -1)}${mac.endsWith('A') ? 'B' : 'A'}`],
    ['of no text', ''],
    ['of another server', secretsFrom([newKey()]).signToken('writing', payload)],
    ['for another purpose', secrets.signToken('reading', payload)],
  ])('%s open nothing', (_, bad) => {
    expect(secrets.openToken('writing', bad)).toBeUndefined()
  })
})

test('a tag stands for one text on one server', () => {
  expect(secrets.tagOf('users', 'a')).toMatch(/^[0-9a-f]{16}$/)
  expect(secrets.tagOf('users', 'a')).toBe(secrets.tagOf('users', 'a'))
  const others = [secrets.tagOf('users', 'b'), secrets.tagOf('repos', 'a')]
  expect([...others, secretsFrom([newKey()]).tagOf('users', 'a')]).not.toContain(secrets.tagOf('users', 'a'))
})

test('a CSRF token belongs to one session', () => {
  expect(secrets.csrfMatches('s1', secrets.csrfFor('s1'))).toBe(true)
  expect(secrets.csrfMatches('s2', secrets.csrfFor('s1'))).toBe(false)
  expect(secrets.csrfMatches('s1', '')).toBe(false)
})

describe('the key of the instance', () => {
  test('is made once, readable by its owner alone', async () => {
    const dataDir = newFolder()
    const sealed = (await openSecrets({ dataDir, instanceKey: '' })).seal('a', 'text')
    expect(statSync(secretsFile(dataDir)).mode & 0o777).toBe(0o600)
    expect((await openSecrets({ dataDir, instanceKey: '' })).open('a', sealed)).toBe('text')
  })

  test('of the configuration wins and leaves the folder alone', async () => {
    const dataDir = newFolder()
    const generated = await openSecrets({ dataDir, instanceKey: '' })
    const configured = await openSecrets({ dataDir, instanceKey: newKey() })
    expect(configured.open('a', generated.seal('a', 'text'))).toBe('text')
    expect(generated.open('a', configured.seal('a', 'text'))).toBeUndefined()
  })

  test('lies beside other generated secrets, which are kept', async () => {
    const dataDir = newFolder()
    expect(await keepSecret(dataDir, 'bootstrap_admin_password', () => 'first')).toBe('first')
    await openSecrets({ dataDir, instanceKey: '' })
    expect(await keepSecret(dataDir, 'bootstrap_admin_password', () => 'second')).toBe('first')
    expect(readFileSync(secretsFile(dataDir), 'utf8')).toMatch(
      /^bootstrap_admin_password: first\ninstance_key: /,
    )
  })

  test('in a damaged file is not quietly replaced', async () => {
    const dataDir = newFolder()
    await openSecrets({ dataDir, instanceKey: '' })
    writeFileSync(secretsFile(dataDir), 'instance_key: "c4nary\n')
    await expect(openSecrets({ dataDir, instanceKey: '' })).rejects.toThrow(/is not YAML/)
    writeFileSync(secretsFile(dataDir), '')
    await expect(openSecrets({ dataDir, instanceKey: '' })).rejects.toThrow(/restore it/)
  })
})
