import { expect, test } from 'vitest'
import { mentionsIn } from './mentions.ts'

test.each([
  ['Thanks @Ada, and (@bob-2)!', ['ada', 'bob-2']],
  ['@ada @ADA', ['ada']],
  ['A dot ends the sentence, @ada.', ['ada']],
  ['mail ada@example.org, see https://example.org/@bob and @scope/package', []],
  ['`@ada` and ``a ` @bob``', []],
  ['```py\n@cache\n```\n@ada', ['ada']],
  ['~~~\n@cache\nand it never ends', []],
  ['> @ada said so\n\nYes, @bob', ['bob']],
])('%j mentions %j', (text, names) => {
  expect(mentionsIn(text)).toEqual(names)
})

test('one comment mentions at most 50 people, and a long one is read quickly', () => {
  const many = Array.from({ length: 80 }, (_, i) => `@user${i}`).join(' ')
  expect(mentionsIn(many)).toHaveLength(50)
  expect(mentionsIn(`x${'`'.repeat(30_000)} @ada`)).toEqual(['ada'])
})
