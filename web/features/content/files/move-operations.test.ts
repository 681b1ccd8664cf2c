import { expect, test } from 'vitest'
import { moveOperations, movesInto, movesTo } from './move-operations.ts'

test('what moves into a folder keeps its name, and the files of a folder their places in it', () => {
  expect(movesInto('data', 'src/a.txt', ['src/a.txt'])).toEqual([{ from: 'src/a.txt', to: 'data/a.txt' }])
  expect(movesInto('/data/', 'src', ['src/a', 'src/b/c'])).toEqual([
    { from: 'src/a', to: 'data/src/a' },
    { from: 'src/b/c', to: 'data/src/b/c' },
  ])
  expect(movesInto('', 'src/a.txt', ['src/a.txt'])).toEqual([{ from: 'src/a.txt', to: 'a.txt' }])
})

test('a folder is renamed by moving its files, copies first, and what stays is left alone', () => {
  expect(moveOperations(movesTo('lib', 'src', ['src/a', 'src/b']))).toEqual([
    { op: 'copy', from: 'src/a', to: 'lib/a' },
    { op: 'copy', from: 'src/b', to: 'lib/b' },
    { op: 'delete', path: 'src/a' },
    { op: 'delete', path: 'src/b' },
  ])
  expect(moveOperations(movesTo('src', 'src', ['src/a']))).toEqual([])
})
