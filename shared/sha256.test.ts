import { expect, test } from 'vitest'
import { Sha256 } from './sha256.ts'

async function reference(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const sample = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255)

test('the digest of every length around a block boundary equals that of WebCrypto', async () => {
  for (const length of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 1000, 100_003])
    expect(new Sha256().update(sample(length)).hex()).toBe(await reference(sample(length)))
})

test('how the bytes are cut does not change the digest', async () => {
  const bytes = sample(5000)
  for (const size of [1, 7, 63, 64, 65, 999]) {
    const hash = new Sha256()
    for (let at = 0; at < bytes.length; at += size) hash.update(bytes.subarray(at, at + size))
    expect(hash.hex()).toBe(await reference(bytes))
  }
})
