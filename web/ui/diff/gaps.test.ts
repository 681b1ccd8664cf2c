import { expect, test } from 'vitest'
import { contextLines, gapsOf } from './gaps.ts'

const hunk = (old_start: number, old_lines: number, new_start: number, new_lines: number) => ({
  old_start,
  old_lines,
  new_start,
  new_lines,
  lines: [],
})

test('gaps are before, between and behind the hunks, with the numbers of both files', () => {
  // Two lines come in the first hunk, and one goes in the second.
  expect(gapsOf([hunk(10, 6, 10, 8), hunk(40, 7, 42, 6)], 60)).toEqual([
    { from: 1, upTo: 10, shift: 0 },
    { from: 18, upTo: 42, shift: -2 },
    { from: 48, upTo: 61, shift: -1 },
  ])
})

test('nothing is left out of a file that the hunks show from its first to its last line', () => {
  const sizes = (...of: Parameters<typeof gapsOf>) => gapsOf(...of).map(({ from, upTo }) => upTo - from)
  expect(sizes([hunk(1, 5, 1, 6)], 6)).toEqual([0, 0])
  expect(sizes([hunk(1, 5, 0, 0)], 0)).toEqual([0, 0])
})

test('a line between carries both of its numbers', () => {
  const text = ['a', 'b', 'c', 'd']
  expect(contextLines(text, { from: 2, upTo: 4, shift: 3 })).toMatchObject([
    { kind: 'context', text: 'b', before: 5, after: 2 },
    { kind: 'context', text: 'c', before: 6, after: 3 },
  ])
})
