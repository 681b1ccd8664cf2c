import { expect, test } from 'vitest'
import { spokenFaults, wordFaults } from './check-words.ts'

test('a word of the list is found with its line and what to write instead, in any case', () => {
  expect(wordFaults('docs/a.md', 'Plain words.\nNobody reads this.')).toEqual([
    'docs/a.md:2: "Nobody"; write: no user, an anonymous caller',
  ])
  expect(wordFaults('docs/a.md', 'A mendacious toldo.')).toEqual([])
})

test('in code the texts that callers read count, and nothing beside them', () => {
  const code = [
    'const told = 1 // nobody reads this',
    `throw new Problem('gone', { detail: 'Whoever may, sees it.' })`,
    `route({ summary: "It's fine", description: \`Made anew\` })`,
    `text('').describe('The device is let go.')`,
  ].join('\n')
  expect(spokenFaults('api/a.ts', code).map((fault) => fault.split(';')[0])).toEqual([
    'api/a.ts:2: "Whoever"',
    'api/a.ts:3: "anew"',
    'api/a.ts:4: "let go"',
  ])
})
