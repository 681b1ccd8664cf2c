import { expect, test } from 'vitest'
import { segmentAt, segmentRows } from './segments.ts'
import { widthsFor } from './use-columns.ts'

test('a row lies in one segment, and the last segment ends with the last row', () => {
  const total = 1_200_001
  expect(segmentAt(0, total)).toEqual({
    number: 0,
    from: 0,
    rows: segmentRows,
    hasBefore: false,
    hasAfter: true,
  })
  expect(segmentAt(99_999, total).number).toBe(0)
  expect(segmentAt(100_000, total).number).toBe(1)
  expect(segmentAt(1_200_000, total)).toEqual({
    number: 12,
    from: 1_200_000,
    rows: 1,
    hasBefore: true,
    hasAfter: false,
  })
})

test('a row beyond the end is shown as the last segment', () => {
  expect(segmentAt(5_000_000, 250_000)).toMatchObject({ number: 2, rows: 50_000, hasAfter: false })
  expect(segmentAt(0, 0)).toEqual({ number: 0, from: 0, rows: 0, hasBefore: false, hasAfter: false })
})

test('columns fill the table, texts before numbers, and never shrink below what can be read', () => {
  const text = { name: 'text', type: { _type: 'Value', dtype: 'string' } as const }
  const id = { name: 'id', type: { _type: 'Value', dtype: 'int64' } as const }
  expect(widthsFor([id, text], 1000)).toEqual([150, 850])
  expect(widthsFor([id, id], 1000)).toEqual([500, 500])
  expect(widthsFor([id, text], 0)).toEqual([150, 240])
})
