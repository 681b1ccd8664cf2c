import { expect, test } from 'vitest'
import type { ChangedFile } from '../../lib/types.ts'
import { changedSince, revertOperations } from './revert-operations.ts'

const file = (path: string, status: ChangedFile['status'], old_path?: string): ChangedFile => ({
  path,
  status,
  binary: false,
  lfs: false,
  ...(old_path === undefined ? {} : { old_path }),
})

test('a revert restores what was changed or deleted, deletes what was added, and renames back', () => {
  const files = [
    file('new.txt', 'added'),
    file('changed.txt', 'modified'),
    file('gone.txt', 'deleted'),
    file('to.txt', 'renamed', 'from.txt'),
  ]
  expect(revertOperations(files, 'p')).toEqual([
    { op: 'delete', path: 'new.txt' },
    { op: 'copy', from: 'changed.txt', from_revision: 'p', to: 'changed.txt' },
    { op: 'copy', from: 'gone.txt', from_revision: 'p', to: 'gone.txt' },
    { op: 'delete', path: 'to.txt' },
    { op: 'copy', from: 'from.txt', from_revision: 'p', to: 'from.txt' },
  ])
})

test('it says which files others have changed since', () => {
  const files = [file('a.txt', 'modified'), file('b.txt', 'renamed', 'old.txt')]
  expect(changedSince(files, [file('old.txt', 'modified'), file('z.txt', 'added')])).toEqual(['old.txt'])
  expect(changedSince(files, [])).toEqual([])
})
