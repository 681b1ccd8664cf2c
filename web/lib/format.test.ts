import { expect, test } from 'vitest'
import { formatDuration, formatRelative, formatSize } from './format.ts'

test('sizes carry three significant digits and never four before the point', () => {
  const shown = [0, 999, 1000, 4_370_000_000, 12_345, 999_499, 999_500, 123_456_789].map(formatSize)
  expect(shown).toEqual(['0 B', '999 B', '1.00 kB', '4.37 GB', '12.3 kB', '999 kB', '1.00 MB', '123 MB'])
})

test('times are given in the largest whole unit', () => {
  const now = Date.parse('2030-01-02T00:00:00Z')
  expect(formatRelative('2030-01-01T23:59:58Z', now)).toBe('just now')
  expect(formatRelative('2030-01-01T20:30:00Z', now)).toBe('3 hours ago')
  expect(formatRelative('2030-01-03T01:00:00Z', now)).toBe('tomorrow')
  expect(formatRelative('2030-04-01T23:59:30Z', now)).toBe('in 90 days')
  expect(formatRelative('2031-01-01T23:59:30Z', now)).toBe('next year')
  expect(formatRelative('2029-09-01T00:00:00Z', now)).toBe('4 months ago')
})

test('durations are given in their two largest units', () => {
  const shown = [0, 40, 125, 120, 7500, 2_419_200, 100_000].map(formatDuration)
  expect(shown).toEqual(['0 s', '40 s', '2 min 5 s', '2 min', '2 h 5 min', '28 d', '1 d 3 h'])
})
