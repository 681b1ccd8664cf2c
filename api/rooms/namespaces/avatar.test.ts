import { expect, test } from 'vitest'
import { identicon } from './avatar.ts'

test('a name has one picture, in any case, and another name another', () => {
  expect(identicon('Ada')).toBe(identicon('aDA'))
  expect(identicon('ada')).not.toBe(identicon('bob'))
})

test('a picture holds shapes alone, whatever the name', () => {
  const svg = identicon('"><script>alert(1)</script>')
  expect(svg).toMatch(/^<svg [^<>]*>(<path [^<>]*\/>)+<\/svg>$/)
})
