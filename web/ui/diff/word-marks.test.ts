import { expect, test } from 'vitest'
import { compareWords, wordMarks, type DiffLine } from './word-marks.ts'

const marked = (line: { text: string; isMarked: boolean }[] | undefined) =>
  line?.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')
const both = (before: string, after: string) => compareWords(before, after)?.map(marked)

test.each([
  [
    'a word',
    'learning_rate = 0.1',
    'learning_rate = 0.2',
    ['learning_rate = 0.[1]', 'learning_rate = 0.[2]'],
  ],
  [
    'several words',
    'the old fox ran home',
    'the new fox walked home',
    ['the [old] fox [ran] home', 'the [new] fox [walked] home'],
  ],
  ['an addition', 'load(model)', 'load(model, device)', ['load(model)', 'load(model[, device])']],
  ['words of other scripts', 'das große Haus', 'das kleine Haus', ['das [große] Haus', 'das [kleine] Haus']],
])('marks %s', (_, before, after, lines) => {
  expect(both(before, after)).toEqual(lines)
})

test('lines that share little, or are very long, are not compared', () => {
  expect(both('import torch', 'for x in range(9):')).toBeUndefined()
  expect(both('x'.repeat(2000), 'y'.repeat(2000))).toBeUndefined()
})

test('removed lines are paired with the added ones that follow', () => {
  const line = (kind: DiffLine['kind'], text: string): DiffLine => ({ kind, text })
  const marks = wordMarks([
    line('context', 'same'),
    line('delete', 'a = 1'),
    line('delete', 'b = 1'),
    line('add', 'a = 2'),
    line('context', 'same'),
    line('add', 'c = 3'),
  ])
  expect([...marks.keys()].sort()).toEqual([1, 3])
  expect(marked(marks.get(1))).toBe('a = [1]')
  expect(marked(marks.get(3))).toBe('a = [2]')
})

test('white space that is ignored is not marked', () => {
  const marks = wordMarks(
    [
      { kind: 'delete', text: '  b = 2' },
      { kind: 'add', text: '\tb = 3' },
    ],
    true,
  )
  expect([marked(marks.get(0)), marked(marks.get(1))]).toEqual(['  b = [2]', '\tb = [3]'])
})
