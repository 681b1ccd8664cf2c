import { verificationHash } from '@huggingface/xetchunk-wasm'
import { describe, expect, test } from 'vitest'
import { FormatError } from './format-error.ts'
import { chunkHash, fileHashOf, hashRaw, hashText, RangeHash, swapGroups } from './hash.ts'
import { Random } from './testing.ts'

describe('hashes', () => {
  test('their string form reverses each group of eight bytes', () => {
    const raw = Buffer.from(Array.from({ length: 32 }, (_, i) => i))
    const text = '07060504030201000f0e0d0c0b0a090817161514131211101f1e1d1c1b1a1918'
    expect(hashText(raw)).toBe(text)
    expect(hashText(Buffer.concat([Buffer.alloc(5), raw]), 5)).toBe(text)
    expect(hashRaw(text)).toEqual(raw)
    expect(swapGroups(swapGroups(raw))).toEqual(raw)
  })

  test('anything but 64 lower-case hex digits is no string form', () => {
    for (const text of [
      '',
      'ab',
      'A'.repeat(64),
      'g'.repeat(64),
      'a'.repeat(63),
      'a'.repeat(65),
      `${'a'.repeat(64)}\n`,
    ]) {
      expect(() => hashRaw(text)).toThrow(expect.objectContaining({ check: 'hash-text' }))
      expect(() => hashRaw(text)).toThrow(FormatError)
    }
  })

  test('"Hello World!" has the published chunk, file and range hashes', () => {
    const hello = chunkHash(Buffer.from('Hello World!'))
    expect(hashText(hello)).toBe('d8d408e608fb9ca213b9909a65d86d725f2de4d8d540324be8a363e7a6e228cb')
    expect(hello.toString('hex').startsWith('a29cfb08e608d4d8')).toBe(true)
    expect(hashText(fileHashOf(hello))).toBe(
      'a9dae0ad88b060bdd7e7c87abdcf95b132c95a0414b06d4f6beb68d287b87165',
    )
    expect(rangeOf(hello)).toBe('89cb63458e98cb4c75be6b50a5a7b7234b82f05d5348e6925fb71aaf5dc3862b')
  })

  test('other published chunks', () => {
    const zeros = '2e39f13c248013b27e22913ba2893a654120ed0ad8eb7ecbf3f05b9d708634fc'
    expect(hashText(chunkHash(Buffer.alloc(131_072)))).toBe(zeros)
    const [a, b] = [chunkHash(Buffer.from('a')), chunkHash(Buffer.from('b'))]
    expect(hashText(a)).toBe('a4d4ed80fcb2fe5177fc59321d3e6f90faf23e35a48d58303114bf073f34178a')
    expect(hashText(b)).toBe('dc7f2a01b2dd4f9dace2cfd1abe783374824882171e4b33dc406132de41df994')
    expect(rangeOf(a, b)).toBe('a8146352142f8bbda9905aa1b5723be437073ede8fde1ff35593e1def0583af0')
  })

  test('an empty file has 32 zero bytes, not their hash', () => {
    expect(fileHashOf(Buffer.alloc(32))).toEqual(Buffer.alloc(32))
  })

  test('bytes in shared memory hash as any others', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(64), 3, 12)
    shared.set(Buffer.from('Hello World!'))
    expect(chunkHash(shared)).toEqual(chunkHash(Buffer.from('Hello World!')))
  })
})

describe('range hashes', () => {
  test('agree with the JavaScript client, hash by hash or many at once', () => {
    const random = new Random(1)
    const range = new RangeHash()
    for (const n of [1, 2, 3, 16, 17, 500]) {
      const hashes = random.bytes(32 * n)
      const each = Array.from({ length: n }, (_, i) => hashes.subarray(32 * i, 32 * i + 32))
      range.add(hashes)
      const atOnce = range.digest()
      for (const hash of each) range.add(hash)
      expect(atOnce).toEqual(Buffer.from(verificationHash(each)))
      expect(range.digest()).toEqual(atOnce)
    }
  })
})

function rangeOf(...hashes: Buffer[]): string {
  const range = new RangeHash()
  for (const hash of hashes) range.add(hash)
  return hashText(range.digest())
}
