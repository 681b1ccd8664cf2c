import type { Element, Nodes } from 'hast'
import { expect, test } from 'vitest'
import { treeOf } from './tree.ts'

const sha = 'a1'.repeat(20)

async function linksOf(text: string, page: string | undefined = '/acme/tiny') {
  const found: [text: string, href: unknown][] = []
  const walk = (node: Nodes) => {
    if (node.type === 'element' && 'dataReference' in node.properties)
      found.push([textOf(node), node.properties['href']])
    if ('children' in node) node.children.forEach(walk)
  }
  walk(await treeOf(text, 'x-', page))
  return found
}

const textOf = ({ children }: Element) =>
  children.map((child) => ('value' in child ? child.value : '')).join('')

test.each([
  [
    'ask @ada, or @bob.',
    [
      ['@ada', '/ada'],
      ['@bob', '/bob'],
    ],
  ],
  [
    'as in #12 and (#3)',
    [
      ['#12', '/acme/tiny/discussions/12'],
      ['#3', '/acme/tiny/discussions/3'],
    ],
  ],
  ['see bob/other#7', [['bob/other#7', '/bob/other/discussions/7']]],
  ['see datasets/bob/text#7', [['datasets/bob/text#7', '/datasets/bob/text/discussions/7']]],
  [
    'made from models/bob/base and datasets/bob/text',
    [
      ['models/bob/base', '/bob/base'],
      ['datasets/bob/text', '/datasets/bob/text'],
    ],
  ],
  [`since ${sha}`, [['a1a1a1a1', `/acme/tiny/commit/${sha}`]]],
  [
    '**@ada** and\n- #1',
    [
      ['@ada', '/ada'],
      ['#1', '/acme/tiny/discussions/1'],
    ],
  ],
])('%j has links', async (text, links) => {
  expect(await linksOf(text)).toEqual(links)
})

test.each([
  ['words', 'and/or, 1/2, #a, # 1, a#1x, v1.2#3x'],
  ['code', '`@ada #1` and\n\n```\n@ada\n```'],
  ['links and headings', '[@ada](x.md)\n\n# @ada #1'],
  ['addresses', 'ada@example.org https://example.org/models/a/b#12'],
])('%s are no references', async (_, text) => {
  expect(await linksOf(text)).toEqual([])
})

test('nothing refers to anything where the text is of no repo', async () => {
  const tree = await treeOf('@ada #1', 'x-')
  expect(JSON.stringify(tree)).not.toContain('href')
})

test('what people write cannot pass for a reference', async () => {
  expect(await linksOf('<a href="/logout" data-reference="">x</a>')).toEqual([])
})
