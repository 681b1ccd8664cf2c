import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { openDb, type Db } from '../../stores/db/index.ts'
import { findUser, type User } from '../../rooms/namespaces/index.ts'
import { run } from './run.ts'
import { schema } from '../schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'cli-user-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What the person at the terminal answers; left out, there is no terminal. */
let answer: string | undefined

async function arsenal(...words: string[]) {
  let [out, err] = ['', '']
  const asked = answer
  const env = { SERVICE_TELEMETRY_LOG_LEVEL: 'error' }
  const status = await run([...words, '--quick-start', folder], {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
    ...(asked !== undefined && {
      ask: async (question) => {
        err += question
        return asked
      },
    }),
  })
  return { status, out, err }
}

async function stored(username: string): Promise<User | undefined> {
  const db = await openDb({ driver: 'sqlite', dsn: join(folder, 'service.db'), max_open_conns: 1 }, schema)
  try {
    return await findUser(db, username)
  } finally {
    await db.close()
  }
}

test('a user is created with a password that is shown once', async () => {
  const { status, out, err } = await arsenal('user', 'create', 'ada', '--email', 'ada@example.org')
  expect({ status, err }).toEqual({ status: 0, err: '' })
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

test('the admin right is taken from a user, but not from the last enabled admin', async () => {
  expect(await arsenal('user', 'remove-admin', 'bob')).toMatchObject({
    status: 0,
    out: 'bob is no longer an instance admin.\n',
  })
  expect(await stored('bob')).toMatchObject({ is_admin: false })
  expect(await arsenal('user', 'remove-admin', 'bob')).toMatchObject({
    status: 0,
    out: 'bob was not an instance admin.\n',
  })
  expect(await arsenal('user', 'remove-admin', 'root')).toMatchObject({
    status: 1,
    err: 'root is the last enabled admin. Make another user an admin first.\n',
  })
  expect(await arsenal('user', 'make-admin', 'bob')).toMatchObject({ status: 0 })
})

/** Runs `work` on the database of the folder. */
async function onDb<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDb({ driver: 'sqlite', dsn: join(folder, 'service.db'), max_open_conns: 1 }, schema)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function givenTokens(username: string, ...names: string[]): Promise<void> {
  const id = (await stored(username))?.id ?? ''
  const token = (name: string) => ({
    id: `${username}-${name}`,
    user_id: id,
    name,
    digest: `${username}-${name}`,
    prefix: 'hf_asl_abcd',
    scopes: ['write' as const],
    created_at: new Date('2026-03-01T12:00:00Z'),
  })
  await onDb((db) => db.write(async ({ q, t }) => q.insert(t.tokens).values(names.map(token))))
}

const tokensOf = async (username: string): Promise<string[]> => {
  const id = (await stored(username))?.id ?? ''
  const rows = await onDb((db) => db.q.select().from(db.t.tokens).where(eq(db.t.tokens.user_id, id)))
  return rows.map(({ name }) => name).toSorted()
}

describe('a password that is reset', () => {
  test.each([
    [
      'stay when there is no terminal',
      undefined,
      [],
      ['a', 'b'],
      /\n2 tokens kept\. To revoke: arsenal token/,
    ],
    ['go when the person says so', 'Yes', [], [], /\nRevoked 2 tokens\./],
    ['stay when the person only presses Enter', '', [], ['a', 'b'], /\n2 tokens kept\./],
    ['go by flag', undefined, ['--revoke-tokens'], [], /\nRevoked 2 tokens\./],
    ['stay by flag, without a question', 'y', ['--keep-tokens'], ['a', 'b'], /\n2 tokens kept\./],
  ])('tokens %s', async (title, says, flags, kept, out) => {
    const username = title.replaceAll(/[^a-z]+/g, '-').slice(0, 40)
    await arsenal('user', 'create', username)
    await givenTokens(username, 'a', 'b')
    answer = says
    const result = await arsenal('user', 'reset-password', username, ...flags)
    answer = undefined
    expect(result).toMatchObject({ status: 0 })
    expect(result.out).toMatch(out)
    const isAsked = says !== undefined && flags.length === 0
    expect(result.err).toBe(isAsked ? `Revoke the 2 tokens of ${username} too? [y/N] ` : '')
    expect(await tokensOf(username)).toEqual(kept)
  })

  test('asks nothing of one without tokens, and takes one flag', async () => {
    await arsenal('user', 'create', 'bare')
    answer = 'y'
    expect(await arsenal('user', 'reset-password', 'bare')).toMatchObject({ status: 0, err: '' })
    answer = undefined
    const both = ['--keep-tokens', '--revoke-tokens']
    expect(await arsenal('user', 'reset-password', 'bare', ...both)).toMatchObject({ status: 2 })
  })
})

describe('a user', () => {
  test('is disabled and enabled', async () => {
    await arsenal('user', 'create', 'eve')
    await givenTokens('eve', 'ci')
    expect(await arsenal('user', 'disable', 'EVE')).toEqual({
      status: 0,
      out: 'eve is disabled. Ended 0 sessions, cancelled 0 jobs.\n',
      err: '',
    })
    expect((await stored('eve'))?.disabled).toBe(true)
    expect((await arsenal('user', 'disable', 'eve')).out).toMatch(/^eve was disabled already\./)
    expect((await arsenal('user', 'enable', 'eve')).out).toBe('eve is enabled, with 1 token.\n')
    expect((await stored('eve'))?.disabled).toBe(false)
    expect((await arsenal('user', 'enable', 'eve')).out).toBe('eve was not disabled.\n')
  })

  test('who is the last enabled admin stays', async () => {
    await arsenal('user', 'disable', 'bob')
    expect(await arsenal('user', 'disable', 'root')).toMatchObject({
      status: 1,
      err: 'root is the last enabled admin. Make another user an admin first.\n',
    })
    expect((await stored('root'))?.disabled).toBe(false)
  })

  test('is listed with all others, in columns or as JSON', async () => {
    const { out } = await arsenal('user', 'list')
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^USERNAME +STATE +ADMIN +EMAIL +CREATED +LAST SEEN$/)
    const column = lines[0]?.indexOf('STATE') ?? 0
    expect(lines.find((line) => line.startsWith('bob '))?.slice(column)).toMatch(/^disabled +yes +-/)
    expect(lines.find((line) => line.startsWith('ada '))?.slice(column)).toMatch(/^enabled +- +ada@example/)
    const rows = JSON.parse((await arsenal('user', 'list', '--json')).out) as User[]
    expect(rows.length).toBe(lines.length - 1)
    expect(rows.find(({ username }) => username === 'bob')).toMatchObject({ disabled: true, is_admin: true })
    expect(JSON.stringify(rows)).not.toContain('password')
  })
})

describe('tokens', () => {
  test('are listed without their secrets, of all or one', async () => {
    await arsenal('user', 'create', 'lister')
    await givenTokens('lister', 'ci', 'laptop')
    const { out } = await arsenal('token', 'list', '--user', 'lister')
    expect(out.split('\n')[0]).toMatch(
      /^ID +USER +NAME +BEGINS WITH +SCOPES +CREATED +LAST USED +EXPIRES +MADE WITH$/,
    )
    expect(out).toMatch(/lister-ci +lister +ci +hf_asl_abcd +write +2026-03-01 12:00 +- +- +-\n/)
    const rows = JSON.parse((await arsenal('token', 'list', '--json')).out) as Record<string, unknown>[]
    expect(rows.filter(({ username }) => username === 'lister').length).toBe(2)
    expect(rows.some((row) => 'digest' in row)).toBe(false)
    expect((await arsenal('token', 'list', '--user', 'bare', '--json')).out).toBe('[]\n')
  })

  test('are revoked by name, by id, all of one user, or all', async () => {
    await arsenal('user', 'create', 'holder')
    await givenTokens('holder', 'one', 'two', 'three', 'four')
    const revoke = async (...words: string[]) => (await arsenal('token', 'revoke', ...words)).out
    expect(await revoke('--user', 'holder', 'one')).toBe('Revoked 1 token.\n')
    expect(await revoke('holder-two')).toBe('Revoked 1 token.\n')
    expect(await tokensOf('holder')).toEqual(['four', 'three'])
    expect(await revoke('--user', 'holder', '--all')).toBe('Revoked 2 tokens.\n')
    expect(await revoke('--user', 'holder', '--all')).toBe('There is no token to revoke.\n')
    expect(await tokensOf('lister')).toEqual(['ci', 'laptop'])
    expect(await revoke('--all')).toMatch(/^Revoked \d+ tokens\.\n$/)
    expect(await tokensOf('lister')).toEqual([])
  })
})

test.each([
  [['user', 'create', 'api'], 1, 'this name is reserved\n'],
  [['user', 'make-admin', 'nobody'], 1, 'There is no user nobody.\n'],
  [['user', 'create'], 2, 'Name one user.\n'],
  [['user', 'make-admin', 'a', 'b'], 2, 'Name one user.\n'],
  [['user', 'disable', 'missing'], 1, 'There is no user missing.\n'],
  [['user', 'list', 'ada'], 2, 'user list takes no names.\n'],
  [['token', 'list', 'ada'], 2, 'Name the user with --user.\n'],
  [['token', 'revoke'], 2, 'Name one token, or give --all.\n'],
  [['token', 'revoke', 'x', '--all'], 2, 'Name one token, or give --all.\n'],
  [
    ['token', 'revoke', 'x'],
    1,
    'There is no token x. Name it by its id, or add --user to name it by its name.\n',
  ],
])('%j ends with status %i and one line', async (words, status, err) => {
  expect(await arsenal(...words)).toMatchObject({ status, err })
})
