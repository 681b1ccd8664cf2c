import { expect, test } from 'vitest'
import { catalogue } from '../../../api/problems/catalogue.ts'
import { problems } from './problems.ts'

test('every problem the server can answer has a page that says what mends it', () => {
  const told = Object.fromEntries(
    Object.entries(problems).map(([code, { status, title }]) => [code, { status, title }]),
  )
  expect(told).toEqual(catalogue)
})
