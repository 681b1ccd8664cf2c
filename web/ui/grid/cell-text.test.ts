import { expect, test } from 'vitest'
import type { FeatureType } from '../../../shared/viewer.ts'
import { cellText, chatOf, mediaOf, wholeText } from './cell-text.ts'
import { elementOf, isTall, kindOf, typeName } from './feature-types.ts'

const text: FeatureType = { _type: 'Value', dtype: 'string' }
const label: FeatureType = { _type: 'ClassLabel', names: ['neg', 'pos'] }

test.each<[unknown, FeatureType, string]>([
  [null, text, ''],
  [9007199254740993n, { _type: 'Value', dtype: 'int64' }, '9007199254740993'],
  [1, label, 'pos'],
  [-1, label, '-1'],
  [{ a: 9007199254740993n }, { a: text }, '{"a":9007199254740993}'],
  [[{ role: 'user', content: 'Hi' }], { _type: 'List', feature: text }, 'user: Hi'],
])('a cell %o is shown as %o', (value, type, shown) => {
  expect(cellText(value, type)).toBe(shown)
})

test('a long cell is cut in the table and whole in the clipboard', () => {
  const long = 'a'.repeat(10_000)
  expect(cellText(long, text)).toHaveLength(400)
  expect(wholeText(long)).toHaveLength(10_000)
})

test('conversations are known by their roles', () => {
  expect(chatOf([{ from: 'human', value: 'Hi' }])).toEqual([{ role: 'human', text: 'Hi' }])
  expect(chatOf([{ role: 'user', content: [{ type: 'text', text: 'See' }, { type: 'image' }] }])).toEqual([
    { role: 'user', text: 'See\n[image]' },
  ])
  expect(chatOf([{ role: 'user', content: 'Hi' }, { note: 1 }])).toBeUndefined()
  expect(chatOf([])).toBeUndefined()
  expect(chatOf({ role: 'user', content: 'Hi' })).toBeUndefined()
})

test.each<[FeatureType | FeatureType[], string, string]>([
  [text, 'text', 'string'],
  [label, 'label', 'label of 2'],
  [{ _type: 'Value', dtype: 'decimal128(10, 2)' }, 'number', 'decimal128(10, 2)'],
  [{ _type: 'Value', dtype: 'timestamp[us, tz=UTC]' }, 'time', 'timestamp[us, tz=UTC]'],
  [{ _type: 'Value', dtype: 'large_binary' }, 'bytes', 'large_binary'],
  [{ _type: 'List', feature: text }, 'list', 'list of string'],
  [{ _type: 'List', feature: text, length: 3 }, 'list', 'list of 3 string'],
  [[text], 'list', 'list of string'],
  [{ _type: 'Array2D', shape: [2, 3], dtype: 'float32' }, 'object', 'float32 2×3'],
  [{ _type: 'Audio' }, 'audio', 'audio'],
  [{ a: text }, 'object', 'struct'],
  [{ _type: 'Translation', languages: ['de', 'en'] }, 'object', 'translation'],
])('the type %o is of the kind %s, called %s', (type, kind, name) => {
  expect(kindOf(type)).toBe(kind)
  expect(typeName(type)).toBe(name)
})

test('images need room, also in lists', () => {
  expect(isTall({ _type: 'List', feature: { _type: 'Image' } })).toBe(true)
  expect(elementOf([{ _type: 'Image' }])).toEqual({ _type: 'Image' })
  expect(isTall(text)).toBe(false)
})

test('a media cell has the first of its sources', () => {
  expect(mediaOf([{ src: '/a.wav', type: 'audio/wav' }])).toEqual({ src: '/a.wav' })
  expect(mediaOf({ src: '/a.png', width: 3, height: 2 })).toEqual({ src: '/a.png', width: 3, height: 2 })
  expect(mediaOf(null)).toBeUndefined()
  expect(mediaOf('cut JSON text')).toBeUndefined()
})
