import { expect, test } from 'vitest'
import { fromChunks } from '../../stores/storage/index.ts'
import { validatePath } from './names.ts'
import { quotePath, unquotePath } from './quote-path.ts'
import { linesOf } from './runner/lines.ts'

test.each([
  ['letters of all scripts as they are', Buffer.from('café 日本 😀 \ufffd.txt'), '"café 日本 😀 \ufffd.txt"'],
  ['a name in Latin-1', Buffer.from('caf\xe9.txt', 'latin1'), String.raw`"caf\351.txt"`],
  ['a sign cut short', Buffer.from('\xf0\x9f\x98', 'latin1'), String.raw`"\360\237\230"`],
  [
    'a half of a surrogate pair beside a true sign',
    Buffer.concat([Buffer.of(0xed, 0xa0, 0x80), Buffer.from('é')]),
    String.raw`"\355\240\200é"`,
  ],
  [
    'controls, quotes and what turns text around',
    Buffer.from('\t\x1b"\\\u202e'),
    String.raw`"\t\033\"\\\342\200\256"`,
  ],
])('a path is shown as git quotes it: %s', async (_, bytes, shown) => {
  const lines: string[] = []
  for await (const line of linesOf(fromChunks(bytes))) lines.push(line)
  expect(lines.map(quotePath)).toEqual([shown])
})

test('bytes that are no UTF-8 make no path', async () => {
  for await (const line of linesOf(fromChunks(Buffer.from('caf\xe9\n', 'latin1'))))
    expect(validatePath(line)?.code).toBe('path-not-utf8')
})

test.each([
  ['plain', 'café 日本.txt', 'café 日本.txt'],
  ['with escapes', String.raw`"a\tb\"c\\d\n"`, 'a\tb"c\\d\n'],
  ['with octal digits', String.raw`"caf\303\251 \342\200\256x"`, 'café \u202ex'],
  ['with a backslash before digits', String.raw`"\\303"`, String.raw`\303`],
])('a path that git has written is read: %s', (_, written, path) => {
  expect(unquotePath(written)).toBe(path)
})
