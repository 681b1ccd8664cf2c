import { expect, test } from 'vitest'
import {
  formatCompact,
  formatDays,
  formatDuration,
  formatExact,
  formatExactTime,
  formatRelative,
  formatRows,
  formatShare,
  formatSize,
} from './format.ts'
import { formatIn } from './languages.ts'

test('sizes carry three significant digits and never four before the point', () => {
  const shown = [0, 999, 1000, 4_370_000_000, 12_345, 999_499, 999_500, 123_456_789].map(formatSize)
  expect(shown).toEqual(['0 B', '999 B', '1.00 kB', '4.37 GB', '12.3 kB', '999 kB', '1.00 MB', '123 MB'])
})

test('rows are counted in words', () => {
  expect([0, 1, 1250].map((count) => formatRows(count))).toEqual(['0 rows', '1 row', '1.3K rows'])
  expect(formatRows(1250, formatExact)).toBe('1,250 rows')
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

test('counts are written as the field writes them', () => {
  const shown = [0, 999, 1000, 1250, 12_345, 999_949, 999_950, 6_740_000_000, 2e15].map(formatCompact)
  expect(shown).toEqual(['0', '999', '1K', '1.3K', '12.3K', '999.9K', '1M', '6.7B', '2,000T'])
})

test('shares are whole percents, or with one digit', () => {
  expect([0, 0.004, 0.126, 1].map((share) => formatShare(share))).toEqual(['0%', '<1%', '13%', '100%'])
  expect([0, 0.0004, 0.126, 0.9412].map((share) => formatShare(share, 1))).toEqual([
    '0.0%',
    '<0.1%',
    '12.6%',
    '94.1%',
  ])
})

test('numbers, sizes and dates follow the languages of the browser, words do not', () => {
  const [time, later] = ['2030-03-04T12:00:00Z', '2030-03-09T12:00:00Z']
  const all = () => [
    formatExact(1_234_567),
    formatSize(4_370_000_000),
    formatCompact(6_740_000_000),
    formatShare(0.126, 1),
    formatDays(time, later),
    formatExactTime(time).split(/,? \d\d?:/, 1)[0],
    formatRelative(time, Date.parse(later)),
  ]
  try {
    formatIn(['de-DE', 'en'])
    expect(all()).toEqual([
      '1.234.567',
      '4,37 GB',
      '6,7B',
      '12,6\u00A0%',
      '04.–09.03.2030',
      '04.03.2030',
      '5 days ago',
    ])
    formatIn(['en-US'])
    expect(all()).toEqual([
      '1,234,567',
      '4.37 GB',
      '6.7B',
      '12.6%',
      'Mar 4\u2009–\u20099, 2030',
      'Mar 4, 2030',
      '5 days ago',
    ])
  } finally {
    formatIn(['en'])
  }
})
