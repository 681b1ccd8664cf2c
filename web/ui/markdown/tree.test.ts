import type { Nodes } from 'hast'
import { expect, test } from 'vitest'
import { treeOf } from './tree.ts'

const textOf = (node: Nodes): string =>
  node.type === 'text' ? node.value : 'children' in node ? node.children.map(textOf).join('') : ''

test('references are read by their names, in Markdown and in its HTML', async () => {
  const tree = await treeOf('caf&eacute; &amp;lt; &nosuch; <b title="&Auml;">&rarr;</b>', 'p-')
  expect(textOf(tree)).toBe('café &lt; &nosuch; →')
})

test('what could run is gone, ids have their prefix and no node says where it was', async () => {
  const tree = await treeOf('# Title\n\n<script>x</script><a href="javascript:x" id="y">y</a>', 'p-')
  expect(JSON.stringify(tree)).not.toMatch(/script|"position"/)
  expect(JSON.stringify(tree)).toMatch(/"id":"p-title".*"id":"p-y"/)
})

test('a document with more parts than a page can show is refused', async () => {
  await expect(treeOf(`<div>${'<i>a</i>'.repeat(26_000)}</div>`, 'p-')).rejects.toThrow(RangeError)
})
