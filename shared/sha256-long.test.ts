import { expect, test } from 'vitest'
import { Sha256 } from './sha256.ts'

test('the length of half a gigabyte, whose bits need more than 32, is part of the digest', () => {
  const hash = new Sha256()
  const zeros = new Uint8Array(1 << 20)
  for (let i = 0; i < 512; i++) hash.update(zeros)
  // By `head -c 536870912 /dev/zero | sha256sum` of GNU coreutils.
  expect(hash.hex()).toBe('9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767')
})
