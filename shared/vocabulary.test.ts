import { expect, test } from 'vitest'
import { limits, nameFault } from './vocabulary.ts'

test.each(['a', '_', 'Bert-base.v1_2', 'x'.repeat(96), 'a.github', 'git', 'a.gitignore'])(
  'the name %s is allowed',
  (name) => {
    expect(nameFault(name)).toBeUndefined()
  },
)

test.each([
  ['', 'use 1 to 96'],
  ['x'.repeat(97), 'use 1 to 96'],
  ['-a', 'use 1 to 96'],
  ['a.', 'use 1 to 96'],
  ['a/b', 'use 1 to 96'],
  ['ä', 'use 1 to 96'],
  ['a--b', 'must not contain'],
  ['a..b', 'must not contain'],
  ['a.git', 'must not end in'],
  ['a.GIT', 'must not end in'],
  ['a.ipynb', 'must not end in'],
])('the name %j is not', (name, fault) => {
  expect(nameFault(name)).toContain(fault)
})

test.each(Object.entries(limits))('%s leaves room for something', (_, most) => {
  expect(most).toBeGreaterThan(0)
})

test('a page may be asked for that is longer than the usual one', () => {
  expect(limits.pageMax).toBeGreaterThan(limits.pageDefault)
})
