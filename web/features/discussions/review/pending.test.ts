import { expect, test } from 'vitest'
import { storageOf } from '../../../lib/testing/storage.ts'
import { readPending, writePending } from './pending.ts'

const comment = (body: string) => ({
  id: body,
  place: { path: 'a.txt', side: 'new' as const, line: 1, commit: 'a'.repeat(40) },
  body,
})

test('a review is kept for its pull request, and gone once it is empty', () => {
  const storage = storageOf()
  const review = { comments: [comment('Why?')], text: 'Hm.' }
  writePending(storage, 'me/repo/1', review, 1)
  expect(readPending(storage, 'me/repo/1')).toEqual(review)
  expect(readPending(storage, 'me/repo/2')).toEqual({ comments: [], text: '' })
  writePending(storage, 'me/repo/1', { comments: [], text: '' }, 2)
  expect(Object.keys(storage)).toEqual([])
})

test('of more than 50 pull requests the review goes that was not changed for longest', () => {
  const storage = storageOf()
  for (let n = 0; n < 50; n++) writePending(storage, `${n}`, { comments: [], text: `${n}` }, n)
  writePending(storage, '0', { comments: [], text: 'again' }, 50)
  writePending(storage, 'new', { comments: [], text: 'new' }, 51)
  expect(readPending(storage, '1').text).toBe('')
  expect(['0', '2', 'new'].map((of) => readPending(storage, of).text)).toEqual(['again', '2', 'new'])
})

test('where the browser has no room, what is kept stays, and the fault is seen', () => {
  const storage = storageOf(600)
  writePending(storage, 'a', { comments: [comment('kept')], text: '' }, 1)
  expect(() => writePending(storage, 'b', { comments: [comment('x'.repeat(600))], text: '' }, 2)).toThrow(
    'full',
  )
  expect(readPending(storage, 'a').comments).toHaveLength(1)
})

test('what others have put there is an empty review', () => {
  const storage = storageOf()
  for (const text of ['{', '[]', 'null', '{"comments": 1}']) {
    storage.setItem('pending-review:x', text)
    expect(readPending(storage, 'x')).toEqual({ comments: [], text: '' })
  }
})
