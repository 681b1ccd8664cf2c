import { expect, test } from 'vitest'
import { tokenTree } from './token-tree.ts'

const token = (id: string, parent_id?: string) => ({
  id,
  name: `token ${id}`,
  ...(parent_id && { parent_id }),
})

test('shows tokens below the one they were made with', () => {
  const placed = tokenTree([token('d', 'b'), token('c'), token('b', 'a'), token('a')])
  expect(placed.map(({ token: { id }, depth, parent }) => [id, depth, parent])).toEqual([
    ['c', 0, undefined],
    ['a', 0, undefined],
    ['b', 1, 'token a'],
    ['d', 2, 'token b'],
  ])
})

test('shows a token whose parent is not in the list at the top', () => {
  expect(tokenTree([token('b', 'gone')])).toEqual([{ token: token('b', 'gone'), depth: 0 }])
})
