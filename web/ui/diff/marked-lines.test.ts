import { expect, test } from 'vitest'
import { markedLines } from './marked-lines.ts'

test('each line carries its number in the files it stands in', () => {
  const lines = markedLines({
    old_start: 4,
    old_lines: 2,
    new_start: 4,
    new_lines: 2,
    lines: [
      { kind: 'context', text: 'a' },
      { kind: 'delete', text: 'b' },
      { kind: 'add', text: 'c' },
    ],
  })
  expect(lines.map(({ before, after }) => [before, after])).toEqual([
    [4, 4],
    [5, undefined],
    [undefined, 5],
  ])
})
