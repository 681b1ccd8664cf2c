import { expect, test } from 'vitest'
import { toStoreError } from './errors.ts'

test('an error of our own code stays, one of the connection passes, also when it is a TypeError', () => {
  const kindOf = (error: unknown) => toStoreError('a', error).kind
  expect(kindOf(new TypeError('undefined is no function'))).toBe('permanent')
  expect(kindOf(Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' }))).toBe('transient')
  expect(kindOf(Object.assign(new RangeError('no code'), { code: 5 }))).toBe('permanent')
})
