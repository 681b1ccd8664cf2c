import { setImmediate as nextRound } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { noteArrival, Turns, turnToBegin } from './turns.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Keeps the thread busy for longer than a turn. */
function work() {
  for (const until = performance.now() + 6; performance.now() < until;);
}

it('gives one of those who wait its turn in each round of the event loop', async () => {
  const order: string[] = []
  const loop = async (name: string) => {
    const turns = new Turns()
    work()
    await turns.breathe()
    order.push(name)
    work()
    await turns.breathe()
    order.push(name)
  }
  const others = (async () => {
    for (let round = 0; round < 8; round++) {
      await nextRound()
      order.push('-')
    }
  })()
  await Promise.all([loop('a'), loop('b'), loop('c'), others])
  expect(order.join('').replaceAll('-', '')).toBe('abcabc')
  expect(order.join('')).not.toMatch(/[abc]{2}/)
})

it('begins one request of each caller in turn, however many one of them sends', async () => {
  const order: string[] = []
  const begin = async (caller: string) => {
    await turnToBegin(caller)
    order.push(caller)
  }
  const busy = Array.from({ length: 20 }, () => begin('a'))
  await Promise.all([...busy, begin('b'), begin('b'), begin('c')])
  // Eight begin at once.
  expect(order.join('')).toBe(`${'a'.repeat(8)}abcab${'a'.repeat(10)}`)
})

it('ends a wait with the reason of the caller who went away, and goes on with the others', async () => {
  const leaving = new AbortController()
  const left = new Turns({ signal: leaving.signal }).next()
  const stayed = new Turns().next()
  leaving.abort(new Error('went away'))
  await expect(left).rejects.toThrow('went away')
  await expect(stayed).resolves.toBeUndefined()
})

it('lets connections in first for half of the time', async () => {
  // The clock of the tests before this one goes on: one that starts again at 0 would be behind the last share.
  const now = performance.now()
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(now + 1000)
  let turns = 0
  const waits = [1, 2, 3].map(() => new Turns().next().then(() => turns++))
  const roundsWithArrivals = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      noteArrival()
      await nextRound()
    }
    return turns
  }
  expect(await roundsWithArrivals(3)).toBe(0)
  vi.advanceTimersByTime(6)
  expect(await roundsWithArrivals(2)).toBe(2)
  vi.advanceTimersByTime(6)
  expect(await roundsWithArrivals(3)).toBe(2)
  await Promise.all(waits)
  expect(turns).toBe(3)
})
