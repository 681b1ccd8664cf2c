import { expect, test } from 'vitest'
import { matchPaths } from './match-paths.ts'

test('names that begin with the word come before paths that merely hold its letters', () => {
  const paths = ['docs/a/config-notes.md', 'src/conf/index.ts', 'config.json', 'c/o/n/f.txt', 'model.bin']
  expect(matchPaths(paths, 'conf')).toEqual([
    'config.json',
    'docs/a/config-notes.md',
    'src/conf/index.ts',
    'c/o/n/f.txt',
  ])
})

test('without a word every path is offered', () => {
  expect(matchPaths(['b', 'a'], ' ')).toEqual(['b', 'a'])
})
