import { describe, expect, test } from 'vitest'
import { isHubPath, rawPath, revisionSplits, segmentsFrom } from './paths.ts'

describe('addresses of the hub surface', () => {
  test('keeps an encoded slash apart from a plain one', () => {
    const path = rawPath('http://hub.example/api/models/a/b/tree/refs%2Fpr%2F1/x%20y/z?recursive=true')
    expect(path).toBe('/api/models/a/b/tree/refs%2Fpr%2F1/x%20y/z')
    expect(segmentsFrom(path, 5)).toEqual(['refs/pr/1', 'x y', 'z'])
  })

  test('a malformed encoding is returned as an error, not thrown', () => {
    expect(segmentsFrom('/a/b/resolve/main/%E0%A4%A', 3)).toBeUndefined()
  })

  test('tries the shortest revision first, and a special ref as one', () => {
    expect([...revisionSplits(['feat', 'x', 'f.txt'])]).toEqual([
      { rev: 'feat', path: 'x/f.txt' },
      { rev: 'feat/x', path: 'f.txt' },
      { rev: 'feat/x/f.txt', path: '' },
    ])
    expect([...revisionSplits(['refs', 'pr', '7', 'dir', 'f'])]).toEqual([
      { rev: 'refs/pr/7', path: 'dir/f' },
    ])
    expect([...revisionSplits(['refs', 'convert', 'parquet'])]).toEqual([
      { rev: 'refs/convert/parquet', path: '' },
    ])
  })

  test.each([
    ['/api/models/a/b', true],
    ['/a/b/resolve/main/f', true],
    ['/datasets/a/b/raw/main/f', true],
    ['/a/b.git/info/lfs/objects/batch', true],
    ['/a/b/tree/main', false],
    ['/models', false],
  ])('%s belongs to it: %s', (path, owned) => {
    expect(isHubPath(path)).toBe(owned)
  })
})
