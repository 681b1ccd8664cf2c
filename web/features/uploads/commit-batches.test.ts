import { expect, test } from 'vitest'
import { commitBatches, operationOf } from './commit-batches.ts'
import type { UploadEntry } from './state.ts'

const MiB = 1024 * 1024
const given = (path: string, size: number, mode: 'inline' | 'upload'): UploadEntry => {
  const file = { size, arrayBuffer: async () => new TextEncoder().encode('hi').buffer } as File
  return { path, file, mode, phase: 'ready', doneBytes: 0, sha256: 'ab' }
}

test('what fits stays one commit, and large files weigh nothing in it', () => {
  const entries = [
    given('a', 9 * MiB, 'inline'),
    given('b', 9 * MiB, 'inline'),
    given('c', 4096 * MiB, 'upload'),
  ]
  expect(commitBatches(entries)).toHaveLength(1)
})

test('small files that are too much together are cut into commits in order', () => {
  const entries = Array.from({ length: 12 }, (_, i) => given(`f${i}`, 9 * MiB, 'inline'))
  const batches = commitBatches(entries)
  expect(batches.map((batch) => batch.length)).toEqual([3, 3, 3, 3])
  expect(batches.flat()).toEqual(entries)
})

test('a small file enters with its bytes, a large one with its hash', async () => {
  expect(await operationOf(given('a', 2, 'inline'))).toEqual({ op: 'add', path: 'a', content: 'aGk=' })
  expect(await operationOf(given('b', 7, 'upload'))).toEqual({
    op: 'add',
    path: 'b',
    lfs: { sha256: 'ab', size: 7 },
  })
})
