import type { Element, ElementContent, Root } from 'hast'
import { expect, test } from 'vitest'
import { rehypeCallouts } from './callouts.ts'

const element = (tagName: string, ...children: (string | ElementContent)[]): Element => ({
  type: 'element',
  tagName,
  properties: {},
  children: children.map((child) => (typeof child === 'string' ? { type: 'text', value: child } : child)),
})

function marked(...children: Element[]): Root {
  const tree: Root = { type: 'root', children }
  rehypeCallouts()(tree)
  return tree
}

test('a quote that begins with a kind becomes a note with a title', () => {
  const tree = marked(element('blockquote', '\n', element('p', '[!WARNING]\nMind ', element('b', 'this'))))
  const title = element('p', element('strong', 'Warning'))
  expect(tree.children[0]).toEqual({
    ...element('blockquote', title, '\n', element('p', 'Mind ', element('b', 'this'))),
    properties: { dataCallout: 'warning' },
  })
})

test('the line of the kind alone leaves no empty paragraph', () => {
  const tree = marked(element('blockquote', element('p', '[!tip]'), element('p', 'Text')))
  expect(tree.children[0]).toEqual({
    ...element('blockquote', element('p', element('strong', 'Tip')), element('p', 'Text')),
    properties: { dataCallout: 'tip' },
  })
})

test('other quotes stay as they are', () => {
  for (const text of ['[!NOTE] on the same line', '[!OTHER]\nText', 'Said [!NOTE]\nText']) {
    const quote = () => element('blockquote', element('p', text))
    expect(marked(quote())).toEqual({ type: 'root', children: [quote()] })
  }
})
