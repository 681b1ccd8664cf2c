import { expect, test } from 'vitest'
import { crc32 } from 'node:zlib'
import { containsName, digestOf, newPassword, newTokenSecret, shownPrefix, tokenDigestOf } from './secrets.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a token secret begins as clients demand and ends in its own checksum', () => {
  const secret = newTokenSecret()
  expect(secret).toMatch(/^hf_asl_[0-9A-Za-z]{46}$/)
  const given = Array.from(secret.slice(-6)).reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0)
  expect(given).toBe(crc32(secret.slice(0, -6)))
})

test('no two token secrets are equal, and what lists show of one is not enough to guess it', () => {
  const secrets = Array.from({ length: 100 }, newTokenSecret)
  expect(new Set(secrets).size).toBe(100)
  expect(shownPrefix(secrets[0] ?? '').length).toBeLessThan(12)
})

test('a token is found without its second underscore as well, and by no other spelling', () => {
  const secret = newTokenSecret()
  const plain = secret.replace('hf_asl_', 'hf_asl')
  expect(tokenDigestOf(secret)).toBe(digestOf(secret))
  expect(tokenDigestOf(plain)).toBe(digestOf(secret))
  for (const other of [`${plain}a`, plain.slice(0, -1), plain.toLowerCase(), ` ${plain}`, plain.slice(3)])
    expect(tokenDigestOf(other)).not.toBe(digestOf(secret))
})

test('a fresh password never has the username in it', () => {
  const passwords = Array.from({ length: 20_000 }, () => newPassword('ada'))
  expect(passwords.filter((password) => containsName(password, 'ADA'))).toEqual([])
  expect(newPassword('')).toMatch(/^\w{24}$/)
})
