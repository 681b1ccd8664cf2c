import { expect, test } from 'vitest'
import { inMemory, inspectBytes } from '../index.ts'
import { optimizedParquet, plainParquet } from '../testing/parquet.ts'

const read = (bytes: Uint8Array) => inspectBytes({ path: 'data/train.PARQUET' }, inMemory(bytes))

test('the mark in the footer tells that pages end where the content says', () => {
  expect(read(plainParquet)).toEqual({ format: 'parquet', isOptimized: false, problems: [] })
  expect(read(optimizedParquet)).toEqual({ format: 'parquet', isOptimized: true, problems: [] })
})

test('what is damaged is a problem of the file, wherever it is cut or changed', () => {
  const codes = new Set<string>()
  for (let end = 0; end < optimizedParquet.length; end++) {
    const found = read(optimizedParquet.subarray(0, end))
    if (found?.format !== 'parquet') throw new Error('no Parquet file')
    expect(found.isOptimized).toBe(false)
    for (const { code } of found.problems) codes.add(code)
  }
  for (let at = 0; at < optimizedParquet.length; at++)
    for (const value of [0, 0x7f, 0xff]) {
      const spoiled = Buffer.from(optimizedParquet)
      spoiled[at] = value
      const found = read(spoiled)
      for (const { code } of found?.problems ?? []) codes.add(code)
    }
  expect([...codes].toSorted()).toEqual(['parquet_damaged', 'parquet_footer_size', 'parquet_no_footer'])
})

test('a length of the page index that is no number is damage, and an error of the store is none', () => {
  // The fuzzer made it: the footer gives the length of a page index in 64 bits.
  const found = read(
    Buffer.from(
      [
        'UEFSMRUEFTAVLkwVBhUAEgAAGAQBAAkBPAIAAAAAAAAAAwAAAAAAAAAVABUUFRgsFQYVEBUGFQYcGAgDAAAAAAAAABgIAQAAAAAs',
        'AAAAFgAoCAMAAAAAAAAAGAgBAAAAAAAAABERAAAACiQCAAAABgECAyQAFQQZLDUAGAZzY2hlbWEVAgAVBCUCGAFhABYGGRwZHCYA',
        'HBUEGTUABhAZGAFhFQIWBhbeARbgASZSJggcGAgDAAAAAAAAABgIAQAAAAAAAAAWACgIAwAAAAAAAAAYCAEAAAAAAAAAEREAGSwV',
        'BBXOFQIAFQAVEBUCADwpBhkmAAYAAAAW3gEWBiYIFuABABkcGAxBUlJPVzpzY2hlbWEYrAEvLy8vLzNnQUFBQVFBQUFBQUFBS0FB',
        'd0FCZ0FGQUFnQUNnQUFBQUFCQkFBTUFBQUFDQUFJQUFBQUJBQUlBQUFBQkFBQUFBRUFBQUFVQUFBQUVBQVVBQWdBQmdBSEFBd0FB',
        'QUFRQUJBQUFBQUFBQUVDRUFBQUFCd0FBQUFFQUFBQUFB/////0VBQUFCaEFBQUFDQUFNQUFnQUJ3QUlBQUFBQUFBQUFVQUFBQUE9',
        'ABggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZHBwAAAB2AQAAUEFSMQ==',
      ].join(''),
      'base64',
    ),
  )
  expect(found).toMatchObject({ format: 'parquet', isOptimized: false })
  const gone = new Error('the store is away')
  const failing = {
    sizeBytes: optimizedParquet.length,
    read: (offset: number, length: number) => {
      if (length > 8) throw gone
      return optimizedParquet.subarray(offset, offset + length)
    },
  }
  expect(() => inspectBytes({ path: 'a.parquet' }, failing)).toThrow(gone)
})
