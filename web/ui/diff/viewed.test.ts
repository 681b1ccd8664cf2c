import { expect, test } from 'vitest'
import type { ChangedFile } from '../../lib/types.ts'
import { storageOf } from '../../lib/testing/storage.ts'
import { marksOf, readViewed, writeViewed } from './viewed.ts'

const file = (path: string, old_oid: string, new_oid: string): ChangedFile => ({
  path,
  status: 'modified',
  binary: false,
  lfs: false,
  old_oid,
  new_oid,
})
const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]

test('a mark holds for the contents it was made of', () => {
  const marks = { x: 'aaaaaaaaaaaa..bbbbbbbbbbbb', constructor: '' }
  expect(marksOf(marks, [file('x', a, b), file('y', a, b)])).toEqual({ x: marks.x })
  expect(marksOf(marks, [file('x', a, a)])).toEqual({})
  expect(marksOf({}, [file('constructor', a, b)])).toEqual({})
})

test('marks are kept by pull request, of 200 at most, and the oldest go first', () => {
  const storage = storageOf()
  storage.setItem('other', 'x')
  for (let at = 0; at < 205; at++) writeViewed(storage, `models/n/r/${at}`, { x: 'a..b' }, at)
  writeViewed(storage, 'models/n/r/7', { x: 'a..b', y: 'c..d' }, 300)
  expect(Object.keys(storage)).toHaveLength(201)
  expect(readViewed(storage, 'models/n/r/4')).toEqual({})
  expect(readViewed(storage, 'models/n/r/5')).toEqual({ x: 'a..b' })
  expect(readViewed(storage, 'models/n/r/7')).toEqual({ x: 'a..b', y: 'c..d' })
  writeViewed(storage, 'models/n/r/7', {}, 301)
  expect(storage.getItem('viewed:models/n/r/7')).toBeNull()
})

test('the oldest make room where the browser gives no more, and what is no record counts as none', () => {
  const storage = storageOf(200)
  for (const at of [1, 2, 3, 4, 5, 6]) writeViewed(storage, `p/${at}`, { file: 'a..b' }, at)
  expect(readViewed(storage, 'p/1')).toEqual({})
  expect(readViewed(storage, 'p/6')).toEqual({ file: 'a..b' })
  expect(() => writeViewed(storage, 'p/7', { file: 'x'.repeat(300) }, 7)).toThrow('full')
  storage.setItem('viewed:p/8', '{broken')
  expect(readViewed(storage, 'p/8')).toEqual({})
})
