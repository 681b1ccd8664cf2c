import { expect, test } from 'vitest'
import { begunAt, completed } from './begun.ts'

const atEnd = (text: string) => begunAt(text, text.length)

test.each([
  ['ask @', { kind: 'person', word: '', from: 4 }],
  ['@ada-l', { kind: 'person', word: 'ada-l', from: 0 }],
  ['one\nsee #12', { kind: 'discussion', word: '12', from: 8 }],
  ['see #load fa', { kind: 'discussion', word: 'load fa', from: 4 }],
  ['from models/ada/b', { kind: 'repo', word: 'models/ada/b', from: 5 }],
])('%j begins a reference', (text, begun) => {
  expect(atEnd(text)).toEqual(begun)
})

test.each(['ada@', 'a#', '# Title', 'x/models/ada', '@ada ', ''])('%j begins none', (text) => {
  expect(atEnd(text)).toBeUndefined()
})

test('a chosen reference replaces what was typed, and one space follows', () => {
  expect(completed('hi @ad!', { kind: 'person', word: 'ad', from: 3 }, 6, '@ada')).toEqual({
    text: 'hi @ada !',
    caret: 8,
  })
  expect(completed('@ad is', { kind: 'person', word: 'ad', from: 0 }, 3, '@ada').text).toBe('@ada is')
})
