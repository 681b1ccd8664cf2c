import { expect, test } from 'vitest'
import { Limiter } from './limiter.ts'

/** Work that lasts until the test ends it. */
function work() {
  let isBegun = false
  let end: (error?: Error) => void = () => undefined
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve())
  })
  const run = () => {
    isBegun = true
    return ended
  }
  return { run, end, isBegun: () => isBegun }
}

const settle = () => new Promise((goOn) => setImmediate(goOn))
const begun = (all: { isBegun(): boolean }[]) => all.map((one) => one.isBegun())

test('so many of one key go on at once, the others in the order they came', async () => {
  const limiter = new Limiter({ perKey: 2, atOnce: 10 })
  const all = Array.from({ length: 4 }, work)
  const taken = all.map(({ run }) => limiter.run('a', run))
  await settle()
  expect(begun(all)).toEqual([true, true, false, false])
  all[1]?.end()
  await settle()
  expect(begun(all)).toEqual([true, true, true, false])
  for (const one of all) one.end()
  await Promise.all(taken)
  expect(begun(all)).toEqual([true, true, true, true])
})

test('one key that waits holds no other up', async () => {
  const limiter = new Limiter({ perKey: 1, atOnce: 2 })
  const [a, b, c] = [work(), work(), work()] as const
  const taken = [limiter.run('a', a.run), limiter.run('a', b.run), limiter.run('c', c.run)]
  await settle()
  expect(begun([a, b, c])).toEqual([true, false, true])
  for (const one of [a, b, c]) one.end()
  await Promise.all(taken)
})

test('all keys together have their limit, and the first that may is next', async () => {
  const limiter = new Limiter({ perKey: 1, atOnce: 2 })
  const all = ['a', 'b', 'a', 'c', 'd'].map((key) => ({ key, ...work() }))
  const taken = all.map(({ key, run }) => limiter.run(key, run))
  await settle()
  expect(begun(all)).toEqual([true, true, false, false, false])
  all[1]?.end()
  await settle()
  expect(begun(all)).toEqual([true, true, false, true, false])
  all[0]?.end()
  await settle()
  expect(begun(all)).toEqual([true, true, true, true, false])
  for (const one of all) one.end()
  await Promise.all(taken)
})

test('work that fails gives its turn back', async () => {
  const limiter = new Limiter({ perKey: 1, atOnce: 1 })
  const [a, b] = [work(), work()] as const
  const failing = limiter.run('a', a.run)
  const next = limiter.run('b', b.run)
  a.end(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await settle()
  expect(b.isBegun()).toBe(true)
  b.end()
  await next
  expect(await limiter.run('a', async () => 7)).toBe(7)
})

test('what waits may leave, and what comes beyond those that wait is refused', async () => {
  const limiter = new Limiter({ atOnce: 1, maxWaiting: 1 })
  const first = await limiter.take()
  const leaving = new AbortController()
  const left = limiter.take({ signal: leaving.signal })
  await expect(limiter.take()).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const second = limiter.take()
  first()
  first()
  const release = await second
  const third = limiter.take()
  await expect(limiter.take()).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  release()
  await third
  await expect(limiter.take({ signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late')
})

test('each key has its own queue', async () => {
  const limiter = new Limiter({ perKey: 1, maxWaiting: 0 })
  await limiter.take({ key: 'a' })
  await expect(limiter.take({ key: 'a' })).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  expect(await limiter.run('b', async () => 1)).toBe(1)
})
