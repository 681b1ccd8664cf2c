import { expect, test } from 'vitest'
import { exportPath } from './made.ts'

const split = (count: number, isPartial = false) => ({
  name: 'train',
  isPartial,
  files: Array.from({ length: count }, () => ({ sha256: '0'.repeat(64), sizeBytes: 1, rows: 1 })),
})

test.each([
  [exportPath('default', split(1), 0), 'default/train/0000.parquet'],
  [exportPath('a b', split(2, true), 1), 'a b/partial-train/0001.parquet'],
  [exportPath('default', split(10_000), 9999), 'default/train/9999.parquet'],
  [exportPath('default', split(10_001), 9999), 'default/train-part0/9999.parquet'],
  [exportPath('default', split(10_001, true), 10_000), 'default/partial-train-part1/0000.parquet'],
])('%s names a file of an export', (path, expected) => {
  expect(path).toBe(expected)
})
