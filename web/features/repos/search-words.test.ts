import { expect, test } from 'vitest'
import { searchWords } from './search-words.ts'

test('filters are taken out of the words once a space or Enter ends them', () => {
  expect(searchWords('llama license:mit', 'models', true)).toEqual({
    words: 'llama',
    filters: { licence: 'mit' },
    rest: 'llama',
  })
  expect(searchWords('task:text-generation tiny library:gguf', 'models', false)).toEqual({
    words: 'tiny',
    filters: { task: 'text-generation' },
    rest: 'tiny library:gguf',
  })
  expect(searchWords('author:acme ', 'datasets', false)).toEqual({
    words: '',
    filters: { ns: 'acme' },
    rest: '',
  })
})

test('a filter that is still being written is not looked for', () => {
  expect(searchWords('llama license:m', 'models', false)).toEqual({
    words: 'llama',
    filters: {},
    rest: 'llama license:m',
  })
})

test('what names no filter of the list is a word', () => {
  for (const text of ['http://hub.test', 'colour:red', 'license:', ':mit', 'org/name', 'quant:q4_0'])
    expect(searchWords(text, 'datasets', true)).toEqual({ words: text, filters: {}, rest: text })
  expect(searchWords('a  b', 'models', false)).toEqual({ words: 'a b', filters: {}, rest: 'a  b' })
})
