import type { Element, Root } from 'hast'
import { expect, test } from 'vitest'
import { rehypeHtml } from './html.ts'
import { loadReferences } from './references.ts'

function given(...nodes: (string | Element)[]): Root {
  return {
    type: 'root',
    children: nodes.map((node) => (typeof node === 'string' ? { type: 'raw', value: node } : node)),
  } as Root
}
const heading: Element = {
  type: 'element',
  tagName: 'h1',
  properties: {},
  children: [{ type: 'text', value: 'Title' }],
}

function shown(node: Root | Root['children'][number]): string {
  if (node.type === 'text') return node.value
  if (!('children' in node)) return ''
  const inner = node.children.map(shown).join('')
  if (node.type !== 'element') return inner
  const properties = Object.entries(node.properties).map(([key, value]) => ` ${key}=${String(value)}`)
  return `[${node.tagName}${properties.join('')}|${inner}]`
}

function joined(...nodes: (string | Element)[]): string {
  const tree = given(...nodes)
  rehypeHtml()(tree)
  return shown(tree)
}

test('a tag that opens in one place encloses the Markdown up to its end in another', () => {
  expect(joined('<div align="center">', heading, '</div>', '<p>after</p>')).toBe(
    '[div align=center|[h1|Title]][p|after]',
  )
})

test('void, closed, unclosed and stray tags keep their neighbours whole', () => {
  expect(joined('a<br>b<img src="x.png" alt=\'y\'/>c')).toBe('a[br|]b[img src=x.png alt=y|]c')
  expect(joined('<ul><li>one<li>two</ul>z')).toBe('[ul|[li|one][li|two]]z')
  expect(joined('</div><b>open')).toBe('[b|open]')
})

test('scripts, styles and comments leave nothing', () => {
  expect(joined('<script>alert(1)</script><style>p{}</style><!-- <b>no</b> -->kept')).toBe('kept')
  expect(joined('<svg><script>x</script></svg>', '<script>', heading, '</script>')).toBe('')
})

test('attributes that the sanitiser does not know are never made', () => {
  expect(joined('<a href="x" onclick="y" style="z" data-x="1">t</a>')).toBe('[a href=x|t]')
})

test('character references are text, never markup', async () => {
  await loadReferences('&lt;')
  expect(joined('<p>&lt;b&gt; &#60;i&#x3e; &amp;amp;</p>')).toBe('[p|<b> <i> &amp;]')
})
