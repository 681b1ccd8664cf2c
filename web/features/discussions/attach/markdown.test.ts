import { expect, test } from 'vitest'
import { altOf, withImage } from './markdown.ts'

const image = { alt: 'a shot', url: '/uploads/1.png' }

test.each([
  ['', { start: 0, end: 0 }, '![a shot](/uploads/1.png)\n'],
  ['Look: here', { start: 6, end: 6 }, 'Look: \n![a shot](/uploads/1.png)\nhere'],
  ['Look\n\nMore', { start: 5, end: 5 }, 'Look\n![a shot](/uploads/1.png)\nMore'],
  ['over this', { start: 5, end: 9 }, 'over \n![a shot](/uploads/1.png)\n'],
])('an image is put into %j', (text, at, expected) => {
  const put = withImage(text, at, image)
  expect(put.text).toBe(expected)
  expect(put.text.slice(put.alt.start, put.alt.end)).toBe('a shot')
})

test.each([
  ['Screenshot 1.png', 'Screenshot 1'],
  ['a[1].png', 'a 1'],
  ['.png', 'image'],
])('%s is described as %s at first', (name, alt) => {
  expect(altOf(name)).toBe(alt)
})
