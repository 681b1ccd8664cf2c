import { expect, test } from 'vitest'
import { heatOf } from './heat.ts'

test('the last of several times is the hottest, whatever their order', () => {
  const [first, middle, last] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z']
  const heat = heatOf([middle, last, first, last])
  expect([first, middle, last].map(heat)).toEqual([0, 0.5, 1])
})

test('a single time is as cold as the first of several', () => {
  expect(heatOf(['2024-01-01T00:00:00Z'])('2024-01-01T00:00:00Z')).toBe(0)
})
