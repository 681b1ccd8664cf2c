import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiProblem } from './client.ts'
import { retrying } from './retry.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Longer than all waits together. Not all timers there are: other tests of this process may leave one that repeats. */
const runTimers = () => vi.advanceTimersByTimeAsync(120_000)

const problem = (status: number, retryAfter?: string) =>
  new ApiProblem(status, {}, new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }))

/** Fails with each of the errors in turn and then answers; when it was tried, in whole seconds from now. */
function failing(errors: (retry: number) => unknown) {
  const began = Date.now()
  const at: number[] = []
  const attempt = async () => {
    at.push(Math.round((Date.now() - began) / 1000))
    const error = errors(at.length)
    if (error !== undefined) throw error
    return 'done'
  }
  return { at, attempt }
}

/** How it ends, and after which tries. */
async function endOf(errors: (retry: number) => unknown) {
  const { at, attempt } = failing(errors)
  const end = retrying(attempt).catch((error: unknown) => error)
  await runTimers()
  return { at, end: await end }
}

test.each([0, 408, 429, 500, 502, 503, 504])(
  '%i is tried again after 1, 2, 4, 8 and 16 s',
  async (status) => {
    const { at, end } = await endOf((n) => (n < 6 ? problem(status) : undefined))
    expect([at, end]).toEqual([[0, 1, 3, 7, 15, 31], 'done'])
  },
)

test('the sixth failure is the caller’s', async () => {
  const { at, end } = await endOf(() => problem(503))
  expect(at).toHaveLength(6)
  expect(end).toMatchObject({ status: 503 })
})

test.each([400, 401, 403, 404, 409, 422, 501, 507])('%i is not tried again', async (status) => {
  const { at, end } = await endOf(() => problem(status))
  expect([at, end]).toEqual([[0], expect.objectContaining({ status })])
})

test('what is no answer of the server is not tried again', async () => {
  const mistake = new TypeError('a mistake')
  expect(await endOf(() => mistake)).toEqual({ at: [0], end: mistake })
})

test('Retry-After is obeyed, whether it is longer or shorter than the wait would have been', async () => {
  const waits = ['30', undefined, '0', '1']
  const { at, end } = await endOf((n) => (n <= waits.length ? problem(429, waits[n - 1]) : undefined))
  expect([at, end]).toEqual([[0, 30, 32, 32, 33], 'done'])
})

test('an abort ends the wait with its reason', async () => {
  const abort = new AbortController()
  const { at, attempt } = failing(() => problem(503))
  const end = retrying(attempt, abort.signal).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(500)
  abort.abort(new Error('enough'))
  expect(await end).toMatchObject({ message: 'enough' })
  await runTimers()
  expect(at).toEqual([0])
})

test('an abort while the request is under way is not waited for either', async () => {
  const abort = new AbortController()
  const { at, attempt } = failing(() => {
    abort.abort(new Error('enough'))
    return problem(503)
  })
  const timers = vi.getTimerCount()
  await expect(retrying(attempt, abort.signal)).rejects.toThrow('enough')
  expect([at, vi.getTimerCount()]).toEqual([[0], timers])
})
