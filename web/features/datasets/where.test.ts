import { describe, expect, test } from 'vitest'
import type { NamedFeature } from '../../../shared/viewer.ts'
import { filterText, filterable, labelsAt, narrowed, parseFilter, type FlatFilter } from './where.ts'

const columns: NamedFeature[] = [
  { name: 'id', type: { _type: 'Value', dtype: 'int64' } },
  { name: 'say "hi"', type: { _type: 'Value', dtype: 'string' } },
  { name: 'label', type: { _type: 'ClassLabel', names: ['neg', 'pos'] } },
  { name: 'tags', type: { _type: 'List', feature: { _type: 'Value', dtype: 'string' } } },
  { name: 'meta', type: { score: { _type: 'Value', dtype: 'float64' } } },
]

describe('filters', () => {
  test.each<[FlatFilter, string]>([
    [
      {
        join: 'AND',
        conditions: [
          { column: ['id'], operator: '>=', value: '-5' },
          { column: ['say "hi"'], operator: 'ILIKE', value: "%it's%" },
        ],
      },
      `"id" >= -5 AND "say ""hi""" ILIKE '%it''s%'`,
    ],
    [
      {
        join: 'OR',
        conditions: [
          { column: ['label'], operator: '=', value: 'pos' },
          { column: ['meta', 'score'], operator: '<', value: '1e-3' },
          { column: ['say "hi"'], operator: 'IS NOT NULL', value: '' },
        ],
      },
      `"label" = 'pos' OR "meta"."score" < 1e-3 OR "say ""hi""" IS NOT NULL`,
    ],
    [
      { join: 'AND', conditions: [{ column: ['tags'], isLength: true, operator: '>', value: '3' }] },
      '"tags".length() > 3',
    ],
    // Digits in a column of texts are text.
    [
      { join: 'AND', conditions: [{ column: ['say "hi"'], operator: '=', value: '7' }] },
      `"say ""hi""" = '7'`,
    ],
  ])('%o is written as %s and read back', (filter, text) => {
    expect(filterText(filter, columns)).toBe(text)
    expect(parseFilter(text)).toEqual(filter)
  })

  test('what a person writes shorter means the same', () => {
    expect(parseFilter('id != 3 and label is null')).toEqual({
      join: 'AND',
      conditions: [
        { column: ['id'], operator: '<>', value: '3' },
        { column: ['label'], operator: 'IS NULL', value: '' },
      ],
    })
  })

  test.each([
    'NOT "id" = 1',
    '("id" = 1 OR "id" = 2) AND "label" = \'pos\'',
    '"id" = 1 AND "id" = 2 OR "id" = 3',
    '"id" IN (1, 2)',
    '"id" = 1 AND',
    '"id" =',
    '"id" BETWEEN 1 AND 2',
    'DROP TABLE',
    '"id" = 1; --',
  ])('%s is left to its text', (text) => {
    expect(parseFilter(text)).toBeUndefined()
  })

  test('a filter that narrows another keeps its meaning', () => {
    const more = [{ column: ['id'], operator: '=' as const, value: '1' }]
    expect(narrowed('', more, columns)).toBe('"id" = 1')
    expect(narrowed('"id" > 0', more, columns)).toBe('"id" > 0 AND "id" = 1')
    expect(narrowed('"id" > 0 OR "id" < 9', more, columns)).toBe('("id" > 0 OR "id" < 9) AND "id" = 1')
  })

  test('members of structs are filtered by their path, labels by their names', () => {
    expect(filterable(columns).map(({ path, kind }) => [path.join('.'), kind])).toEqual([
      ['id', 'number'],
      ['say "hi"', 'text'],
      ['label', 'label'],
      ['tags', 'list'],
      ['meta.score', 'number'],
    ])
    expect(labelsAt(columns, ['label'])).toEqual(['neg', 'pos'])
  })
})
