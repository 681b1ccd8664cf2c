import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPointer, parsePointer, POINTER_MIN_BYTES } from './pointer.ts'

const SHA256 = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393'

test('a pointer reads back as it was written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.maxSafeNat(), (digest, sizeBytes) => {
      const pointer = { sha256: Buffer.from(digest).toString('hex'), sizeBytes }
      expect(parsePointer(formatPointer(pointer))).toEqual(pointer)
    }),
  )
})

test('is written exactly as git-lfs writes it', () => {
  expect(formatPointer({ sha256: SHA256, sizeBytes: 12345 }).toString()).toBe(
    `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize 12345\n`,
  )
})

test.each([
  ['an alias of the version', `version https://hawser.github.com/spec/v1\noid sha256:${SHA256}\nsize 1\n`],
  ['no last newline', `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize 1`],
  ['CRLF', `version https://git-lfs.github.com/spec/v1\r\noid sha256:${SHA256}\r\nsize 1\r\n`],
  [
    'extensions in order',
    `version https://git-lfs.github.com/spec/v1\next-0-foo sha256:${SHA256}\next-1-bar sha256:${SHA256}\noid sha256:${SHA256}\nsize 1\n`,
  ],
])('a pointer with %s is one', (_, text) => {
  expect(parsePointer(Buffer.from(text))).toEqual({ sha256: SHA256, sizeBytes: 1 })
})

test.each([
  ['nothing', ''],
  ['another version', `version https://example.org/v1\noid sha256:${SHA256}\nsize 1\n`],
  ['a short oid', `version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 1\n`],
  ['upper case', `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256.toUpperCase()}\nsize 1\n`],
  ['a negative size', `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize -1\n`],
  [
    'an unsafe size',
    `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize 9999999999999999\n`,
  ],
  ['lines in another order', `version https://git-lfs.github.com/spec/v1\nsize 1\noid sha256:${SHA256}\n`],
  ['an unknown line', `version https://git-lfs.github.com/spec/v1\nfoo bar\noid sha256:${SHA256}\nsize 1\n`],
  [
    'extensions out of order',
    `version https://git-lfs.github.com/spec/v1\next-1-a sha256:${SHA256}\next-0-b sha256:${SHA256}\noid sha256:${SHA256}\nsize 1\n`,
  ],
  [
    'too many bytes',
    `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize 1\n${'\n'.repeat(1024)}`,
  ],
])('a file with %s is an ordinary file', (_, text) => {
  expect(parsePointer(Buffer.from(text))).toBeUndefined()
})

test('the shortest pointer has the length that bounds the search', () => {
  const shortest = `version http://git-media.io/v/2\noid sha256:${SHA256}\nsize 0`
  expect(parsePointer(Buffer.from(shortest))).toBeDefined()
  expect(shortest).toHaveLength(POINTER_MIN_BYTES)
})
