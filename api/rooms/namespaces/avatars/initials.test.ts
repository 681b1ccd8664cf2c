import { expect, test } from 'vitest'
import { initialsPicture } from './initials.ts'

const textOf = (svg: string) => />([^<>]*)<\/text>/.exec(svg)?.[1]

test.for([
  ['ada', 'Ada Lovelace', 'AL'],
  ['ada', 'Ada', 'A'],
  ['grace', 'Grace Brewster Murray Hopper', 'GH'],
  ['li-wei', '李 伟', '李伟'],
  ['zero-one', '???', 'ZO'],
  ['7-up', '7-up', '7U'],
] as const)('%s, called %s, has the initials %s', ([name, displayName, expected]) => {
  expect(textOf(initialsPicture(name, displayName))).toBe(expected)
})

test('a name has one picture, in any case, and another name another', () => {
  expect(initialsPicture('Ada', 'A')).toBe(initialsPicture('aDA', 'A'))
  expect(initialsPicture('ada', 'A')).not.toBe(initialsPicture('bob', 'A'))
})

test('a picture holds shapes and letters alone, whatever the name', () => {
  const svg = initialsPicture('a', '<script>alert(1)</script> &"')
  expect(svg).toMatch(/^<svg [^<>]*><path [^<>]*\/><text [^<>]*>SS<\/text><\/svg>$/)
})
