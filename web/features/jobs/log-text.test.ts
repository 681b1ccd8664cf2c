import { expect, test } from 'vitest'
import { logText } from './log-text.ts'

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
