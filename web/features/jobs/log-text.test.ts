import { expect, test } from 'vitest'
import { logText, partsOf } from './log-text.ts'

const line = (number: number, text: string) => ({ number, attempt: 1, at: '2026-01-02T03:04:05.000Z', text })

test('a log as text says where lines were left out, also before the first', () => {
  expect(logText([])).toBe('')
  expect(logText([line(2, 'one'), line(3, 'two'), line(600, 'three')])).toBe(
    [
      '… 1 line left out',
      '2026-01-02T03:04:05.000Z [1] one',
      '2026-01-02T03:04:05.000Z [1] two',
      '… 596 lines left out',
      '2026-01-02T03:04:05.000Z [1] three',
      '',
    ].join('\n'),
  )
})

test('what is searched in a line is found in any case, and means itself', () => {
  expect(partsOf('Wrote a.csv, then A.CSV', 'a.csv')).toEqual(['Wrote ', 'a.csv', ', then ', 'A.CSV', ''])
  expect(partsOf('abcsv', 'a.csv')).toEqual(['abcsv'])
  for (const searched of ['\\', '(', '[x]', '{1}', '^$', 'a|b', '?*+', '/', '-'])
    expect(partsOf(`<${searched}>`, searched)).toEqual(['<', searched, '>'])
  expect(partsOf('anything', '')).toEqual(['anything'])
})
