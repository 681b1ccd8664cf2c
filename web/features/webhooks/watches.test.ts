import { expect, test } from 'vitest'
import { textOf, watchOf } from './watches.ts'

test.each([
  ['acme', { ns: 'acme' }],
  ['models/acme/tiny', { repo: { type: 'model', ns: 'acme', name: 'tiny' } }],
  ['datasets/acme/rows', { repo: { type: 'dataset', ns: 'acme', name: 'rows' } }],
] as const)('%s is written and read the same', (text, watch) => {
  expect(watchOf(text)).toEqual(watch)
  expect(textOf(watch)).toBe(text)
})

test('a repo without its kind is a model', () => {
  expect(watchOf('acme/tiny')).toEqual({ repo: { type: 'model', ns: 'acme', name: 'tiny' } })
})
