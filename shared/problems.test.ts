import { expect, test } from 'vitest'
import { catalogue } from './problems.ts'

test.each(Object.entries(catalogue))('%s is answered as a failure', (_, { status }) => {
  expect(Number.isInteger(status)).toBe(true)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(600)
})

// What clients do next depends on these: wait and repeat, or tell their user.
test.each([
  ['invalid-revision', 400],
  ['request-timeout', 408],
  ['unsupported-media-type', 415],
  ['size-mismatch', 422],
  ['throttled', 429],
] as const)('%s is answered with %i', (code, status) => {
  expect(catalogue[code].status).toBe(status)
})
