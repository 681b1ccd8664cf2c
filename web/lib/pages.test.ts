import { expect, test } from 'vitest'
import { localPath, pages, segmentsBelowRepo } from './pages.ts'

test('a revision with slashes is one segment, a file path keeps its own', () => {
  const address = pages.blob({ type: 'model', ns: 'ann', name: 'm' }, 'refs/pr/1', 'a b/c#1.txt')
  expect(address).toBe('/ann/m/blob/refs%2Fpr%2F1/a%20b/c%231.txt')
  expect(segmentsBelowRepo(address)).toEqual(['blob', 'refs/pr/1', 'a b', 'c#1.txt'])
})

test('a file name that holds a percent-encoded slash survives', () => {
  const address = pages.tree({ type: 'datasets', ns: 'ann', name: 'd' }, 'main', '100%2F')
  expect(segmentsBelowRepo(address)).toEqual(['tree', 'main', '100%2F'])
})

test('sign-in returns only to this origin', () => {
  expect(['/a?b', '//evil.example', '/\\evil.example', 'https://evil.example', null].map(localPath)).toEqual([
    '/a?b',
    '/',
    '/',
    '/',
    '/',
  ])
})
