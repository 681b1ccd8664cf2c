import { expect, test } from 'vitest'
import { wordFaults } from './check-words.ts'

test('a word of the list is found with its line and what to write instead, in any case', () => {
  expect(wordFaults('docs/a.md', 'Plain words.\nNobody reads this.')).toEqual([
    'docs/a.md:2: "Nobody"; write: no user, an anonymous caller',
  ])
  expect(wordFaults('docs/a.md', 'A mendacious toldo.')).toEqual([])
})
