import { describe, expect, test } from 'vitest'
import { fnmatch } from './fnmatch.ts'
import { joinSelections, selectFiles } from './select.ts'

describe('a selection', () => {
  const files = [
    'a.bin',
    'sub/b.bin',
    'm-Q4_K_M.gguf',
    'm-Q8_0-00001-of-00002.gguf',
    'm-Q8_0-00002-of-00002.gguf',
    'mmproj-F16.gguf',
  ].map((path) => ({ path, sizeBytes: 10 }))
  const chosen = (selection: Parameters<typeof selectFiles>[1]) =>
    selectFiles(files, selection).map(({ path }) => path)

  test('takes globs as hub clients do', () => {
    for (const [path, pattern, isMatch] of [
      ['a.bin', '*.bin', true],
      ['sub/b.bin', '*.bin', true],
      ['sub/b.bin', 'sub/', true],
      ['sub/b.bin', 'su?/[abc].bin', true],
      ['sub/b.bin', '[!a-s]*', false],
      ['a]b', 'a[]]b', true],
      ['a[b', 'a[b', true],
      ['.hidden', '*', true],
      ['abc', 'a*b*d', false],
      ['', '*', true],
    ] as const)
      expect([path, pattern, fnmatch(path, pattern)]).toEqual([path, pattern, isMatch])
    expect(fnmatch('a'.repeat(5000), `${'*a'.repeat(200)}b`)).toBe(false)
  })

  test('takes quants with all their shards and what belongs to them', () => {
    expect(chosen({ quants: ['q8_0'] })).toEqual([files[3]?.path, files[4]?.path, 'mmproj-F16.gguf'])
    expect(chosen({ include: ['*.bin'], exclude: ['sub/*'] })).toEqual(['a.bin'])
    expect(chosen({ exclude: ['*.gguf'] })).toEqual(['a.bin', 'sub/b.bin'])
    expect(chosen({ all: true })).toHaveLength(6)
    expect(chosen({})).toEqual([])
  })

  test('joins another', () => {
    expect(joinSelections({ include: ['a'] }, { include: ['b'], quants: ['Q4_0'] })).toEqual({
      include: ['a', 'b'],
      quants: ['Q4_0'],
    })
    expect(joinSelections({ include: ['a'] }, { all: true })).toEqual({ all: true })
    expect(joinSelections({ all: true, exclude: ['x'] }, { include: ['x'] })).toEqual({
      all: true,
      include: ['x'],
    })
  })

  test('takes the files of configs and splits, as the plan of the dataset has them', () => {
    const split = (name: string, file: string) => ({ name, files: [file] })
    const config = (name: string, splits: ReturnType<typeof split>[]) => ({
      name,
      isDefault: false,
      builder: 'parquet',
      options: {},
      splits,
    })
    const plan = {
      configs: [
        config('en', [split('train', 'a.bin'), split('test', 'sub/b.bin')]),
        config('de', [split('train', 'm-Q4_K_M.gguf')]),
      ],
    }
    const parts = (selection: Parameters<typeof selectFiles>[1]) =>
      selectFiles(files, selection, plan).map(({ path }) => path)
    expect(parts({ configs: ['en'] })).toEqual(['a.bin', 'sub/b.bin'])
    expect(parts({ configs: ['en'], splits: ['test'] })).toEqual(['sub/b.bin'])
    expect(parts({ splits: ['train'] })).toEqual(['a.bin', 'm-Q4_K_M.gguf'])
    expect(parts({ configs: ['fr'] })).toEqual([])
    expect(parts({ configs: ['de'], include: ['sub/*'], exclude: ['*.gguf'] })).toEqual(['sub/b.bin'])
  })
})
