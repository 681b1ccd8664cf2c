import { expect, test } from 'vitest'
import { Problem } from '../../platform/problems/index.ts'
import { StoreError } from '../../stores/storage/index.ts'
import { mayPass } from './failure.ts'

test.each([
  ['a refusal', new Problem('name-taken'), false],
  ['a fault of this server', new Problem('internal'), true],
  ['too many requests', new Problem('throttled'), true],
  ['a store that does not answer', new StoreError('transient', 'a', 'busy'), true],
  ['a store without room', new StoreError('full', 'a', 'no room'), true],
  ['bytes that are gone', new StoreError('missing', 'a', 'gone'), false],
  ['what nothing is known of', new Error('socket hang up'), true],
])('%s', (_, error, expected) => {
  expect(mayPass(error)).toBe(expected)
})
