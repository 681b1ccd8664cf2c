import { expect, test } from 'vitest'
import { capitalFaults, wordFaults } from './check-words.ts'
import { proseOf, textsOf } from './prose.ts'

test('a word of the list is found with its line and what to write instead, in any case', () => {
  expect(wordFaults('docs/a.md', 'Plain words.\nNobody reads this.')).toEqual([
    'docs/a.md:2: "Nobody"; write: no user, an anonymous caller',
  ])
  expect(wordFaults('docs/a.md', 'A mendacious toldo.')).toEqual([])
})

test('of code, comments and titles of tests are read, names and data are not', () => {
  const script = [
    '// Told once.',
    "const told = 'nobody'",
    "test('a user is told', async () => told)",
    "ask('nobody', { told })",
    '/** Names `nobody`, a user of the system. */',
  ].join('\n')
  expect(wordFaults('e2e/a.test.mjs', proseOf('a.mjs', script)).map((fault) => fault.split(';')[0])).toEqual([
    'e2e/a.test.mjs:1: "Told"',
    'e2e/a.test.mjs:3: "told"',
  ])
  const python = 'def test_told():\n    """Nobody asks."""\n    told = 1  # whoever\n'
  expect(wordFaults('e2e/a.py', proseOf('a.py', python)).map((fault) => fault.split(';')[0])).toEqual([
    'e2e/a.py:2: "Nobody"',
    'e2e/a.py:3: "whoever"',
  ])
})

test('a common noun with a capital is found inside a sentence, not in names of types', () => {
  const source = [
    'export interface Repo {}',
    '/** Repos of a Namespace. Tokens are strings. */',
    "const detail = 'There is no such Job.'",
    'export const page = <p>A Token ends</p>',
  ].join('\n')
  expect(capitalFaults('api/a.tsx', textsOf('a.tsx', source))).toEqual([
    'api/a.tsx:2: "Namespace"; write: namespace',
    'api/a.tsx:3: "Job"; write: job',
    'api/a.tsx:4: "Token"; write: token',
  ])
})
