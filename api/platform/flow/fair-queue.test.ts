import { describe, expect, test } from 'vitest'
import { Problem } from '../problems/index.ts'
import { FairQueue, type QueueCaller } from './fair-queue.ts'

const refusal = () => new Problem('temporarily-unavailable')
const settle = () => new Promise((goOn) => setImmediate(goOn))

/** A queue, and what happens in it by name: `ada` is one who signed in, `?ada` one who did not. */
function open({ atOnce = 4, maxWaiting = 100, maxWaitMs = 60_000 } = {}) {
  const queue = new FairQueue({ atOnce, maxWaiting, maxWaitMs, refusal })
  const begun: string[] = []
  const refused: string[] = []
  const under: QueueCaller[] = []
  const ask = (key: string, signal = new AbortController().signal) => {
    const isAnonymous = key.startsWith('?')
    const begin = (caller: QueueCaller) => {
      begun.push(key)
      under.push(caller)
    }
    const caller = queue.enter(key, isAnonymous)
    if (caller) return begin(caller)
    queue.wait(key, isAnonymous, signal).then(begin, () => refused.push(key))
  }
  const askTimes = (key: string, times: number) => {
    for (let n = 0; n < times; n++) ask(key)
  }
  /** Ends the oldest work of a caller, or of all. */
  const end = async (key?: string) => {
    const at = key === undefined ? 0 : under.findIndex((caller) => caller.key === key)
    const [caller] = under.splice(at, 1)
    if (!caller) throw new Error('nothing is under way')
    queue.leave(caller)
    await settle()
  }
  const heldBy = (key: string) => under.filter((caller) => caller.key === key).length
  return { queue, ask, askTimes, end, begun, refused, heldBy }
}

describe('places', () => {
  test('one caller alone has half of them, and a newcomer finds one at once', () => {
    const { askTimes, begun, queue } = open({ atOnce: 8 })
    askTimes('ada', 20)
    expect(begun).toEqual(Array(4).fill('ada'))
    askTimes('bob', 20)
    expect(begun.slice(4)).toEqual(['bob', 'bob'])
    askTimes('eve', 1)
    expect(begun.at(-1)).toBe('eve')
    expect({ held: queue.held, waiting: queue.waiting }).toEqual({ held: 7, waiting: 34 })
  })

  test('as many callers as there are places have one each', () => {
    const { ask, begun } = open({ atOnce: 4 })
    for (const key of ['a', 'b', 'c', 'd', 'e']) ask(key)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  test('an eighth is kept for those who signed in', () => {
    const { ask, begun } = open({ atOnce: 16 })
    for (let n = 0; n < 30; n++) ask(`?${n}`)
    expect(begun).toHaveLength(14)
    ask('ada')
    expect(begun.at(-1)).toBe('ada')
  })

  test('more than there are never begin, whatever the order of coming and going', async () => {
    const { queue, ask, end, begun } = open({ atOnce: 5, maxWaiting: 200 })
    let most = 0
    for (let n = 0; n < 200; n++) {
      ask(`${n % 7 === 0 ? '?' : ''}caller ${n % 9}`)
      if (n % 3 === 2) await end()
      most = Math.max(most, queue.held)
    }
    expect(most).toBe(5)
    while (queue.held > 0) await end()
    expect(begun).toHaveLength(200)
    expect({ held: queue.held, waiting: queue.waiting }).toEqual({ held: 0, waiting: 0 })
  })
})

describe('turns', () => {
  test('callers who wait take turns, however much each has', async () => {
    const { ask, askTimes, end, begun } = open({ atOnce: 2 })
    askTimes('ada', 200)
    ask('bob')
    expect(begun).toEqual(['ada', 'bob'])
    askTimes('bob', 2)
    ask('eve')
    for (let n = 0; n < 6; n++) await end()
    expect(begun.slice(2)).toEqual(['ada', 'bob', 'eve', 'ada', 'bob', 'ada'])
  })

  test('what one caller asks for begins in the order it came, one in a turn of the event loop', async () => {
    const queue = new FairQueue({ atOnce: 2, maxWaiting: 10, maxWaitMs: 60_000, refusal })
    const { signal } = new AbortController()
    const first = queue.enter('ada', false)
    const order: number[] = []
    for (const n of [1, 2, 3])
      void queue.wait('ada', false, signal).then((caller) => {
        order.push(n)
        queue.leave(caller)
      })
    if (first) queue.leave(first)
    for (const begun of [[1], [1, 2], [1, 2, 3]]) {
      await settle()
      expect(order).toEqual(begun)
    }
  })

  test('what comes later begins behind what waits of the same caller, where places are free as well', async () => {
    const { queue, ask, askTimes, end, begun } = open({ atOnce: 4 })
    askTimes('ada', 5)
    expect(begun).toHaveLength(2)
    await Promise.all([end('ada'), end('ada')])
    expect({ held: queue.held, waiting: queue.waiting }).toEqual({ held: 1, waiting: 2 })
    expect(queue.enter('ada', false)).toBeUndefined()
    ask('bob')
    expect(begun.at(-1)).toBe('bob')
  })

  test('a caller begins eight at once in a turn of the event loop; the next ones wait for theirs', async () => {
    const { queue, askTimes, begun } = open({ atOnce: 100 })
    askTimes('ada', 11)
    askTimes('bob', 1)
    expect(begun).toEqual([...Array(8).fill('ada'), 'bob'])
    for (const waiting of [2, 1, 0]) {
      await settle()
      expect(queue.waiting).toBe(waiting)
    }
    askTimes('ada', 1)
    expect(begun.filter((key) => key === 'ada')).toHaveLength(12)
  })

  test('a caller whose work never ends keeps no one else from theirs', async () => {
    const { askTimes, ask, end, heldBy, begun } = open({ atOnce: 8 })
    askTimes('slow', 100)
    for (let n = 0; n < 50; n++) {
      ask(`quick ${n}`)
      expect(begun.at(-1)).toBe(`quick ${n}`)
      await end(`quick ${n}`)
    }
    expect(heldBy('slow')).toBe(4)
  })
})

describe('what is refused', () => {
  test('the newest of the caller with most that waits', async () => {
    const { askTimes, ask, refused, queue, end, begun } = open({ atOnce: 2, maxWaiting: 4 })
    askTimes('ada', 5)
    askTimes('ada', 1)
    await settle()
    expect(refused).toEqual(['ada'])
    ask('bob')
    ask('bob')
    await settle()
    expect(refused).toEqual(['ada', 'ada'])
    expect(queue.waiting).toBe(4)
    for (let n = 0; n < 6; n++) await end()
    expect(begun.filter((key) => key === 'bob')).toHaveLength(2)
  })

  test('what anonymous callers ask for, before anything else', async () => {
    const { askTimes, ask, refused } = open({ atOnce: 2, maxWaiting: 4 })
    askTimes('ada', 3)
    askTimes('?eve', 3)
    const asked = ['?sue', 'ada', 'ada', 'ada', '?sue']
    for (const key of asked) ask(key)
    await settle()
    expect(refused).toEqual(['?eve', '?eve', '?sue', 'ada', '?sue'])
  })

  test('what has waited for too long, with the place in the queue free again', async () => {
    const { queue } = open({ atOnce: 1, maxWaitMs: 1 })
    const { signal } = new AbortController()
    const first = queue.enter('ada', false)
    await expect(queue.wait('bob', false, signal)).rejects.toMatchObject({ code: 'temporarily-unavailable' })
    expect(queue.waiting).toBe(0)
    if (first) queue.leave(first)
    await settle()
    expect(queue.enter('bob', false)).toBeDefined()
  })
})

test('those that have waited for too long are refused over several turns of the event loop', async () => {
  const { queue } = open({ atOnce: 1, maxWaitMs: 1 })
  const { signal } = new AbortController()
  queue.enter('ada', false)
  const refusedInTurn = [0]
  const all = Array.from({ length: 40 }, () =>
    queue.wait('bob', false, signal).catch(() => refusedInTurn.push((refusedInTurn.pop() ?? 0) + 1)),
  )
  while (queue.waiting > 0) {
    await new Promise(setImmediate)
    refusedInTurn.push(0)
  }
  await Promise.all(all)
  expect(Math.max(...refusedInTurn)).toBeLessThanOrEqual(8)
  expect(refusedInTurn.reduce((sum, n) => sum + n)).toBe(40)
})

describe('who leaves while they wait', () => {
  test('frees the place in the queue and is passed over', async () => {
    const { queue, ask, end, begun, refused } = open({ atOnce: 1, maxWaiting: 2 })
    const gone = new AbortController()
    ask('ada')
    ask('bob', gone.signal)
    ask('eve')
    gone.abort(new Error('gone'))
    await settle()
    expect(refused).toEqual(['bob'])
    expect(queue.waiting).toBe(1)
    await end()
    expect(begun).toEqual(['ada', 'eve'])
  })

  test('takes no place when gone before', async () => {
    const { queue, ask } = open({ atOnce: 1 })
    ask('ada')
    const left = queue.wait('bob', false, AbortSignal.abort(new Error('gone')))
    await expect(left).rejects.toThrow('gone')
    expect(queue.waiting).toBe(0)
  })
})
