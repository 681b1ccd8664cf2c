import { expect, test } from 'vitest'
import { commentParts, suggestionOf, suggestionsIn } from './suggestions.ts'

test('a comment is its text and what it suggests, in order', () => {
  expect(
    commentParts('Better:\n```suggestion\na\n\nb\n```\nOr:\r\n~~~~ suggestion\r\n~~~\r\n~~~~\r\nYes?'),
  ).toEqual([
    { kind: 'text', text: 'Better:' },
    { kind: 'suggestion', lines: ['a', '', 'b'] },
    { kind: 'text', text: 'Or:' },
    { kind: 'suggestion', lines: ['~~~'] },
    { kind: 'text', text: 'Yes?' },
  ])
})

test.each([
  ['another language', '```suggestions\na\n```'],
  ['a fence within a fence', '````md\n```suggestion\na\n```\n````'],
  ['a fence that never ends', '```suggestion\na\n``'],
  ['a code block by indentation', '    ```suggestion\n    a\n    ```'],
  ['a quote', '> ```suggestion\n> a\n> ```'],
  ['inline code', '```suggestion``` is the word'],
])('%s suggests nothing, and stays as it is', (_, body) => {
  expect(commentParts(body)).toEqual([{ kind: 'text', text: body }])
})

test('an empty one suggests to delete the lines', () => {
  expect(suggestionsIn('```suggestion\n```')).toEqual([[]])
  expect(suggestionsIn('```suggestion\n\n```')).toEqual([['']])
})

test('what is suggested comes back, with the fences that are in it', () => {
  for (const lines of [[], ['a'], ['```py', 'x', '```'], ['`````', '````suggestion', ''], ['  ````']])
    expect(suggestionsIn(`See:\n${suggestionOf(lines)}\n\nThanks.`)).toEqual([lines])
})
