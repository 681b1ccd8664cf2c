import { expect, test } from 'vitest'
import { pathWithin, resolveImage, resolveLink, type MarkdownBase } from './links.ts'

const base: MarkdownBase = {
  folder: 'docs',
  pageOf: (path) => `/blob/${path}`,
  bytesOf: (path) => `/resolve/${path}`,
}

test('a relative target counts from the folder of the document, a rooted one from the repo', () => {
  const targets = ['a.md', './a.md', '../a.md', '/a.md', 'x/../b%20c.md?v=1#part']
  expect(targets.map((target) => pathWithin('docs', target))).toEqual([
    'docs/a.md',
    'docs/a.md',
    'a.md',
    'a.md',
    'docs/b c.md',
  ])
})

test('a target cannot climb out of the repo or leave by a scheme', () => {
  const targets = ['../../etc', 'https://e.example/x', '//e.example/x', 'javascript:alert(1)']
  expect(targets.map((target) => pathWithin('docs', target))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('links into the document meet the prefixed ids, links out are marked', () => {
  expect(resolveLink('#usage', base)).toEqual({ href: '#card-usage', isExternal: false })
  expect(resolveLink('a.md#x', base)).toEqual({ href: '/blob/docs/a.md#x', isExternal: false })
  expect(resolveLink('https://e.example/', base)).toEqual({ href: 'https://e.example/', isExternal: true })
})

test('images come from the repo and never from outside', () => {
  expect(resolveImage('plot.png', base)).toBe('/resolve/docs/plot.png')
  expect(resolveImage('https://e.example/track.gif', base)).toBeUndefined()
})
