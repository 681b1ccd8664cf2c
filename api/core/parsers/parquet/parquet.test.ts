import { expect, test } from 'vitest'
import { inMemory, inspectBytes } from '../index.ts'

/** Written by pyarrow. */
const plain = Buffer.from(
  [
    'UEFSMRUEFTAVLkwVBhUAEgAAGAQBAAkBPAIAAAAAAAAAAwAAAAAAAAAVABUUFRgsFQYVEBUGFQYcGAgDAAAAAAAAABgIAQAAAAAA',
    'AAAWACgIAwAAAAAAAAAYCAEAAAAAAAAAEREAAAAKJAIAAAAGAQIDJAAVBBksNQAYBnNjaGVtYRUCABUEJQIYAWEAFgYZHBkcJgAc',
    'FQQZNQAGEBkYAWEVAhYGFt4BFuABJlImCBwYCAMAAAAAAAAAGAgBAAAAAAAAABYAKAgDAAAAAAAAABgIAQAAAAAAAAAREQAZLBUE',
    'FQAVAgAVABUQFQIAPCkGGSYABgAAABbeARYGJggW4AEAGRwYDEFSUk9XOnNjaGVtYRisAS8vLy8vM2dBQUFBUUFBQUFBQUFLQUF3',
    'QUJnQUZBQWdBQ2dBQUFBQUJCQUFNQUFBQUNBQUlBQUFBQkFBSUFBQUFCQUFBQUFFQUFBQVVBQUFBRUFBVUFBZ0FCZ0FIQUF3QUFB',
    'QVFBQkFBQUFBQUFBRUNFQUFBQUJ3QUFBQUVBQUFBQUFBQUFBRUFBQUJoQUFBQUNBQU1BQWdBQndBSUFBQUFBQUFBQVVBQUFBQT0A',
    'GCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkcHAAAAHYBAABQQVIx',
  ].join(''),
  'base64',
)

/** The same, with the mark that `datasets` writes. */
const marked = Buffer.from(
  [
    'UEFSMRUEFTAVLkwVBhUAEgAAGAQBAAkBPAIAAAAAAAAAAwAAAAAAAAAVABUUFRgsFQYVEBUGFQYcGAgDAAAAAAAAABgIAQAAAAAA',
    'AAAWACgIAwAAAAAAAAAYCAEAAAAAAAAAEREAAAAKJAIAAAAGAQIDJAAVBBksNQAYBnNjaGVtYRUCABUEJQIYAWEAFgYZHBkcJgAc',
    'FQQZNQAGEBkYAWEVAhYGFt4BFuABJlImCBwYCAMAAAAAAAAAGAgBAAAAAAAAABYAKAgDAAAAAAAAABgIAQAAAAAAAAAREQAZLBUE',
    'FQAVAgAVABUQFQIAPCkGGSYABgAAABbeARYGJggW4AEAGSwYGGNvbnRlbnRfZGVmaW5lZF9jaHVua2luZxgaeyJtaW5fY2h1bmtf',
    'c2l6ZSI6IDI2MjE0NH0AGAxBUlJPVzpzY2hlbWEYrAEvLy8vLzNnQUFBQVFBQUFBQUFBS0FBd0FCZ0FGQUFnQUNnQUFBQUFCQkFB',
    'TUFBQUFDQUFJQUFBQUJBQUlBQUFBQkFBQUFBRUFBQUFVQUFBQUVBQVVBQWdBQmdBSEFBd0FBQUFRQUJBQUFBQUFBQUVDRUFBQUFC',
    'd0FBQUFFQUFBQUFBQUFBQUVBQUFCaEFBQUFDQUFNQUFnQUJ3QUlBQUFBQUFBQUFVQUFBQUE9ABggcGFycXVldC1jcHAtYXJyb3cg',
    'dmVyc2lvbiAyNi4wLjEZHBwAAACtAQAAUEFSMQ==',
  ].join(''),
  'base64',
)

const read = (bytes: Uint8Array) => inspectBytes({ path: 'data/train.PARQUET' }, inMemory(bytes))

test('the mark in the footer tells that pages end where the content says', () => {
  expect(read(plain)).toEqual({ format: 'parquet', isOptimized: false, problems: [] })
  expect(read(marked)).toEqual({ format: 'parquet', isOptimized: true, problems: [] })
})

test('what is damaged is a problem of the file, wherever it is cut or changed', () => {
  const codes = new Set<string>()
  for (let end = 0; end < marked.length; end++) {
    const found = read(marked.subarray(0, end))
    if (found?.format !== 'parquet') throw new Error('no Parquet file')
    expect(found.isOptimized).toBe(false)
    for (const { code } of found.problems) codes.add(code)
  }
  for (let at = 0; at < marked.length; at++)
    for (const value of [0, 0x7f, 0xff]) {
      const spoiled = Buffer.from(marked)
      spoiled[at] = value
      const found = read(spoiled)
      for (const { code } of found?.problems ?? []) codes.add(code)
    }
  expect([...codes].toSorted()).toEqual(['parquet_damaged', 'parquet_footer_size', 'parquet_no_footer'])
})
