import { expect, test } from 'vitest'
import { foldersOf } from './folders.ts'

test('files stand under their folder, those at the root first', () => {
  const files = ['b.txt', 'data/x.csv', 'a/b/c.txt', 'data/y.csv'].map((path) => ({ path }))
  expect(foldersOf(files).map(({ folder, files: inside }) => [folder, inside.length])).toEqual([
    ['', 1],
    ['a/b', 1],
    ['data', 2],
  ])
})
