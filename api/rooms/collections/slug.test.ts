import { expect, test } from 'vitest'
import { shortIdOf, slugOf } from './slug.ts'

const id = '0199c0ff-ee00-7123-8456-789abcdef012'
const short = '0199c0ffee00789abcdef012'

test.each([
  ['Small models', 'small-models'],
  ['  Über: “naïve” models (2026)!  ', 'uber-naive-models-2026'],
  ['a/b?c#d%e', 'a-b-c-d-e'],
  ['x'.repeat(100), 'x'.repeat(80)],
  [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
])('the slug of %j can be sent as it is', (title, words) => {
  expect(slugOf({ title, id })).toBe(`${words}-${short}`)
})

test('a title without letters leaves the id alone', () => {
  expect(slugOf({ title: '模型 🤗', id })).toBe(short)
})

test.each([
  [`small-models-${short}`, short],
  [short, short],
  [`whatever-it-was-${short}`, short],
  ['small-models', undefined],
  [`${short}-more`, undefined],
  [`small${short}`, undefined],
  [short.toUpperCase(), undefined],
  ['', undefined],
])('of the slug %j the id is looked up', (slug, expected) => {
  expect(shortIdOf(slug)).toBe(expected)
})
