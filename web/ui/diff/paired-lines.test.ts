import { expect, test } from 'vitest'
import { pairedLines } from './paired-lines.ts'

const lines = (text: string) =>
  [...text].map((sign) => ({ kind: sign === '+' ? 'add' : sign === '-' ? 'delete' : 'context' }) as const)
const shape = (text: string) =>
  pairedLines(lines(text)).map(({ left, right }) => `${left?.kind ?? 'nothing'} ${right?.kind ?? 'nothing'}`)

test('a context line stands beside itself, a removed one beside what replaces it', () => {
  expect(shape(' --+ ')).toEqual(['context context', 'delete add', 'delete nothing', 'context context'])
})

test('lines that are only added or only removed have nothing beside them', () => {
  expect(shape('++')).toEqual(['nothing add', 'nothing add'])
  expect(shape('-')).toEqual(['delete nothing'])
  expect(shape('')).toEqual([])
})
