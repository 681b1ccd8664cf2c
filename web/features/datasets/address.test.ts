import { expect, test } from 'vitest'
import { parseSort, readState, sortText, writeState } from './address.ts'

test('an address says page, row, search, filter and order', () => {
  const query = new URLSearchParams('p=2&row=241&search=a+b&filter=%22id%22+%3E+1&sort=%22id%22+DESC')
  expect(readState(query)).toEqual({
    page: 2,
    row: 241,
    search: 'a b',
    filter: '"id" > 1',
    sort: '"id" DESC',
  })
})

test.each(['p=-1&row=x', 'p=1e3&row=', ''])('what %s says of pages and rows is left aside', (text) => {
  expect(readState(new URLSearchParams(text))).toMatchObject({ page: 0, row: undefined })
})

test('changes keep what they do not name, and take away what is empty', () => {
  const query = writeState(new URLSearchParams('p=2&row=241&other=1'), {
    page: 0,
    row: undefined,
    search: 'x',
  })
  expect(query.toString()).toBe('other=1&search=x')
})

test.each([
  { name: 'id', direction: 'asc' as const },
  { name: 'say "hi"', direction: 'desc' as const },
])('an order %o is written and read back', (order) => {
  expect(parseSort(sortText(order))).toEqual(order)
})

test('an order that a person writes is read, a longer one is not', () => {
  expect(parseSort('score desc')).toEqual({ name: 'score', direction: 'desc' })
  expect(parseSort('"a", "b"')).toBeUndefined()
})
