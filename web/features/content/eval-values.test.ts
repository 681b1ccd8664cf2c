import { expect, test } from 'vitest'
import { evalValues, MAX_EVAL_VALUES } from './eval-values.ts'

const index = (results: unknown) => [{ name: 'tiny', results }]

test('values are named by dataset, config, split and metric, in the order of the card', () => {
  const values = evalValues(
    index([
      {
        task: { type: 'text-classification' },
        dataset: { name: 'GLUE', type: 'glue', config: 'mnli', split: 'validation' },
        metrics: [
          { type: 'accuracy', value: 0.912345678 },
          { type: 'f1', name: 'F1 (macro)', value: 0.9, verified: true },
        ],
        source: { name: 'leaderboard', url: 'https://example.org/board' },
      },
      { dataset: { type: 'common_voice' }, metrics: [{ type: 'wer', value: '12.3 %' }] },
      { dataset: { name: 'GLUE mnli', config: 'mnli' }, metrics: [{ type: 'accuracy', value: 1 }] },
    ]),
  )
  expect(values.map(({ dataset, metric, value }) => [dataset, metric, value])).toEqual([
    ['GLUE (mnli, validation)', 'accuracy', '0.9123'],
    ['GLUE (mnli, validation)', 'F1 (macro)', '0.9'],
    ['common_voice', 'wer', '12.3 %'],
    ['GLUE mnli', 'accuracy', '1'],
  ])
  expect(values.map(({ isVerified }) => isVerified)).toEqual([false, true, false, false])
  expect(values[0]?.source).toEqual({ name: 'leaderboard', url: 'https://example.org/board' })
  expect(values[2]?.source).toBeUndefined()
})

test.each([
  ['no list', index('none')],
  ['a result without metrics', index([{ dataset: { name: 'a' } }])],
  ['values that are objects', index([{ metrics: [{ type: 'rouge', value: { rouge1: 1 } }] }])],
  ['a metric without a name', index([{ metrics: [{ value: 1 }] }])],
  ['entries that are no objects', [null, 3, 'x', []]],
])('%s shows nothing', (_, given) => {
  expect(evalValues(given)).toEqual([])
})

test('an address that is not one of the web is no source', () => {
  const source = { name: 'x', url: 'javascript:alert(1)' }
  const [value] = evalValues(index([{ metrics: [{ type: 'accuracy', value: 1 }], source }]))
  expect(value).toMatchObject({ dataset: 'Unnamed dataset', source: undefined })
})

test('a large index ends at the most that is shown', () => {
  const metrics = Array.from({ length: 3 * MAX_EVAL_VALUES }, (_, i) => ({ type: 'loss', value: i }))
  expect(evalValues(index([{ metrics }]))).toHaveLength(MAX_EVAL_VALUES)
})
