import { expect, test } from 'vitest'
import { replaceLines } from './replace-lines.ts'

const replaced = (text: string, first: number, last: number, ...lines: string[]) =>
  replaceLines(Buffer.from(text), { first, last }, lines).toString()

test.each([
  ['one line', replaced('a\nb\nc\n', 2, 2, 'B'), 'a\nB\nc\n'],
  ['several by more', replaced('a\nb\nc\n', 1, 2, 'x', '', 'ü'), 'x\n\nü\nc\n'],
  ['by nothing', replaced('a\nb\nc\n', 2, 3), 'a\n'],
  ['all of it by nothing', replaced('a\nb', 1, 2), ''],
  ['line ends of Windows', replaced('a\r\nb\r\nc\n', 2, 2, 'B', 'bb'), 'a\r\nB\r\nbb\r\nc\n'],
  ['a last line without newline', replaced('a\nb', 2, 2, 'B', 'C'), 'a\nB\nC'],
  ['the last line by nothing', replaced('a\nb', 2, 2), 'a'],
  ['a line before one without newline', replaced('a\nb', 1, 1), 'b'],
  ['the last lines of Windows', replaced('a\r\nb', 1, 2, 'x', 'y'), 'x\r\ny'],
])('%s', (_, found, expected) => {
  expect(found).toBe(expected)
})

test('bytes of the other lines stay, in whatever encoding', () => {
  const content = Buffer.from([0xe4, 10, 97, 10, 0xff, 0xfe])
  expect(replaceLines(content, { first: 2, last: 2 }, ['é'])).toEqual(
    Buffer.from([0xe4, 10, 0xc3, 0xa9, 10, 0xff, 0xfe]),
  )
})
