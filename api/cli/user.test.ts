import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../db/index.ts'
import { findUser, type User } from '../namespaces/index.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-user-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function arsenal(...words: string[]) {
  let [out, err] = ['', '']
  const env = { SERVICE_TELEMETRY_LOG_LEVEL: 'error' }
  const status = await run([...words, '--quick-start', folder], {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
  })
  return { status, out, err }
}

async function stored(username: string): Promise<User | undefined> {
  const db = await openDb({ driver: 'sqlite', dsn: join(folder, 'service.db'), max_open_conns: 1 })
  try {
    return await findUser(db, username)
  } finally {
    await db.close()
  }
}

test('a user is created with a password that is shown once', async () => {
  const { status, out } = await arsenal('user', 'create', 'ada', '--email', 'ada@example.org')
  expect(status).toBe(0)
  expect(out).toMatch(/^Created ada\.\nPassword: \w{24}\n$/)
  expect(await stored('ada')).toMatchObject({
    email: 'ada@example.org',
    email_verified: true,
    is_admin: false,
  })
})

test('a password file keeps the password off the screen', async () => {
  const file = join(folder, 'password')
  writeFileSync(file, 'quiet-otter-lamp-42\n')
  const { status, out } = await arsenal('user', 'create', 'root', '--admin', '--password-file', file)
  expect({ status, out }).toEqual({ status: 0, out: 'Created root.\n' })
  expect(await stored('root')).toMatchObject({ is_admin: true })
})

test('a password is reset and a user made admin', async () => {
  await arsenal('user', 'create', 'bob')
  const before = await stored('bob')
  expect(await arsenal('user', 'reset-password', 'bob')).toMatchObject({ status: 0 })
  expect(await arsenal('user', 'make-admin', 'bob')).toMatchObject({
    status: 0,
    out: 'bob is an instance admin.\n',
  })
  const after = await stored('bob')
  expect(after?.is_admin).toBe(true)
  expect(after?.password_hash).not.toBe(before?.password_hash)
})

test.each([
  [['user', 'create', 'api'], 1, 'this name is reserved\n'],
  [['user', 'make-admin', 'nobody'], 1, 'There is no user nobody.\n'],
  [['user', 'create'], 2, 'Name one user.\n'],
  [['user', 'make-admin', 'a', 'b'], 2, 'Name one user.\n'],
])('%j ends with status %i and one line', async (words, status, err) => {
  expect(await arsenal(...words)).toMatchObject({ status, err })
})
