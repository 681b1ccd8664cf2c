import { expect, test } from 'vitest'
import { cardQuery } from './card-query.ts'
import { excerptOf } from './excerpt.ts'

const shown = (text: string, q: string) =>
  excerptOf(text, cardQuery(q))
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['A small model', 'small', 'A [small] model'],
  ['A small model', 'mod', 'A small [model]'],
  ['A small model', 'mod small', 'A [small] model'],
  ['Tiny-BERT and bert', 'tiny-bert', '[Tiny-BERT] and bert'],
  ['这个模型很好', '模型', '这个[模型]很好'],
  ['Nothing of it', 'absent', 'Nothing of it'],
  ['', 'absent', ''],
])('of %j for %s: %s', (text, q, excerpt) => {
  expect(shown(text, q)).toBe(excerpt)
})

test('of a long text is its part around the first match, between words', () => {
  const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}needle`
  const excerpt = shown(text, 'needle')
  expect(excerpt).toMatch(/^…(before )+\[needle\]( after)+…$/)
  expect(excerpt.length).toBeGreaterThan(140)
  expect(excerpt.length).toBeLessThan(170)
})

test('of a long text without a blank is cut all the same', () => {
  const text = 'x'.repeat(1000)
  expect(shown(text, 'absent')).toBe(`${'x'.repeat(160)}…`)
  expect(shown(`${text} needle`, 'needle')).toContain('[needle]')
})

test.each([
  ['one two', [['one'], ['two']], true],
  ['one "two three"', [['one'], ['two', 'three']], false],
  ['"two thr', [['two', 'thr']], true],
  ['„one two“ «three»', [['one', 'two'], ['three']], false],
  ['a-b c', [['a', 'b'], ['c']], false],
  ['""', [], false],
])('%j is looked for as %j, open %s', (q, phrases, isOpen) => {
  expect(cardQuery(q)).toEqual({ phrases, isOpen })
})
