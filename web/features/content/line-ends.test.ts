import { expect, test } from 'vitest'
import { decodeLines, encodeLines } from './line-ends.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a text comes out of the editor with the bytes that it went in with', () => {
  for (const text of ['', 'one', 'one\ntwo\n', 'one\r\ntwo\r\n', '\uFEFFmarked\n', 'ä 漢 🙂\n']) {
    const lines = decodeLines(bytes(text))
    expect(lines && encodeLines(lines)).toBe(text)
    expect(lines?.text).not.toContain('\r')
  }
})

test('what a text field would spoil is not edited', () => {
  for (const text of ['one\r\ntwo\n', 'one\rtwo', 'nul\0']) expect(decodeLines(bytes(text))).toBeUndefined()
  expect(decodeLines(new Uint8Array([0xff, 0xfe, 0x41]))).toBeUndefined()
})
