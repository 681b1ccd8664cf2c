import { expect, test } from 'vitest'
import { ApiProblem } from '../../shared/client.ts'
import { createQueryClient } from './query-client.ts'

const { retry, retryDelay } = createQueryClient().getDefaultOptions().queries ?? {}
const after = (seconds: string) =>
  new ApiProblem(503, { title: 'Busy' }, new Headers({ 'retry-after': seconds }))
const isRetried = (tries: number, error: Error) => typeof retry === 'function' && retry(tries, error)
const pauseMs = (tries: number, error: Error) =>
  typeof retryDelay === 'function' ? retryDelay(tries, error) : undefined

test('a read is asked again twice where its failure may pass, and not before the server said', () => {
  const unreachable = new ApiProblem(0, {})
  expect([0, 1, 2].map((tries) => isRetried(tries, unreachable))).toEqual([true, true, false])
  expect(isRetried(0, after('3'))).toBe(true)
  expect(pauseMs(0, after('3'))).toBe(3000)
})

test('a long wait is reported instead', () => {
  expect(isRetried(0, after('30'))).toBe(false)
  expect(isRetried(0, new ApiProblem(0, { code: 'no-answer' }))).toBe(false)
  expect(isRetried(0, new ApiProblem(404, {}))).toBe(false)
})
