import { expect, test } from 'vitest'
import { matching, rowsOf, shapeText, tensorTree, type Tensor, type TreeNode } from './tensor-tree.ts'

const tensor = (name: string, shape = [2, 3], dtype = 'F32'): Tensor => ({
  name,
  dtype,
  shape,
  size: 24,
  file: 0,
  offset: 0,
})

const outline = (nodes: readonly TreeNode[]): unknown[] =>
  nodes.map(({ label, children }) => (children.length > 0 ? [label, outline(children)] : label))

test('tensors stand below what their names begin with, layers by number', () => {
  const names = ['model.layers.10.w', 'model.layers.2.w', 'model.layers.2.b', 'lm_head.weight', 'scale']
  const tree = tensorTree(names.map((name) => tensor(name)))
  expect(outline(tree)).toEqual([
    'lm_head.weight',
    [
      'model.layers',
      [
        ['2', ['b', 'w']],
        ['10', ['w']],
      ],
    ],
    'scale',
  ])
  expect(tree[1]).toMatchObject({ name: 'model.layers', tensorCount: 3, elements: 18, bytes: 72 })
})

test('a name that is also the beginning of others, and odd names, lose nothing', () => {
  const names = ['a', 'a.b', 'a..c', '', '__proto__', '__proto__.x', 'constructor']
  const tree = tensorTree(names.map((name) => tensor(name)))
  const all = rowsOf(tree, () => true).flatMap(({ node }) => node.tensor?.name ?? [])
  expect(all.toSorted()).toEqual(names.toSorted())
  expect(rowsOf(tree, () => false)).toHaveLength(tree.length)
})

test('only what is open shows what is in it', () => {
  const tree = tensorTree([tensor('a.x'), tensor('a.y'), tensor('b.x')])
  const rows = rowsOf(tree, ({ name }) => name === 'a')
  expect(rows.map(({ node, depth }) => [node.label, depth])).toEqual([
    ['a', 0],
    ['x', 1],
    ['y', 1],
    ['b.x', 0],
  ])
})

test('a search finds names, dtypes and shapes by all of its words', () => {
  const all = [
    tensor('layers.0.q_proj', [8, 4], 'BF16'),
    tensor('layers.1.q_proj', [8, 4]),
    tensor('norm', []),
  ]
  const found = (search: string) => matching(all, search).map(({ name }) => name)
  expect(found('Q_PROJ bf16')).toEqual(['layers.0.q_proj'])
  expect(found('8 × 4')).toHaveLength(2)
  expect(found(' ')).toHaveLength(3)
  expect(found('nothing')).toEqual([])
  expect([shapeText([8, 4]), shapeText([])]).toEqual(['8 × 4', 'scalar'])
})
