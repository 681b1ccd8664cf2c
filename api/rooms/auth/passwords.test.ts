import { Argon2id } from 'oslo/password'
import { describe, expect, test } from 'vitest'
import { eachDatabase } from '../../testing.ts'
import { checkPasswordPolicy, hashPassword, isOutdated, verifyPassword } from './passwords.ts'

eachDatabase('the password policy', (world) => {
  test.each([
    ['eleven chars', 'Kx7#pQ2vLm9', /at least 12/],
    ['257 characters', 'Kx7#pQ2vLm9w'.repeat(22).slice(0, 257), /at most 256/],
    ['the username in any case', 'xq7-LOVELACE-vw93', /username/],
    ['a common password', 'password1234', /easy to guess/],
    ['a keyboard walk', 'qwertyuiopasdf', /easy to guess/],
    ['one repeated character', 'a'.repeat(64), /easy to guess/],
  ])('refuses %s', async (_, password, message) => {
    await expect(
      checkPasswordPolicy(world.db, { field: 'new_password', password, username: 'Lovelace' }),
    ).rejects.toMatchObject({
      code: 'weak-password',
      status: 422,
      errors: [{ field: 'new_password', message: expect.stringMatching(message) as string }],
    })
  })

  test.each([
    ['several uncommon words', 'quiet-otter-lamp-42'],
    ['256 characters', 'Kx7#pQ2vLm9w'.repeat(22).slice(0, 256)],
    ['twelve code points outside ASCII', 'žщ漢字🦦каша愛ß9ŵ'],
    ['a username too short to tell', 'quiet-otter-lamp-42', 'at'],
  ])('accepts %s', async (_, password, username = 'lovelace') => {
    await expect(
      checkPasswordPolicy(world.db, { field: 'password', password, username }),
    ).resolves.toBeUndefined()
  })
})

describe('hashes', () => {
  test('are Argon2id with 19 MiB, two passes and one lane, and are checked against', async () => {
    const hash = await hashPassword('quiet-otter-lamp-42')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(hash, 'quiet-otter-lamp-42')).toBe(true)
    expect(await verifyPassword(hash, 'quiet-otter-lamp-43')).toBe(false)
  })

  test('a user without a hash cannot sign in', async () => {
    expect(await verifyPassword(null, 'quiet-otter-lamp-42')).toBe(false)
    expect(await verifyPassword(undefined, '')).toBe(false)
  })

  test('are outdated when made at a lower cost', async () => {
    const cheap = new Argon2id({ memorySize: 8192, iterations: 2, parallelism: 1 })
    expect(isOutdated(await cheap.hash('x'))).toBe(true)
    expect(isOutdated(await hashPassword('x'))).toBe(false)
  })

  test('many asked for at once are all made', async () => {
    const hashes = await Promise.all(Array.from({ length: 6 }, () => hashPassword('x')))
    expect(new Set(hashes).size).toBe(6)
  })
})
