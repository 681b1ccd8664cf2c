import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Work that lasts until it is told to end. */
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
  const turns = new Turns({ perKey: 2, all: 10 })
  const all = Array.from({ length: 4 }, work)
  const taken = all.map(({ run }) => turns.take('a', run))
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
  const turns = new Turns({ perKey: 1, all: 2 })
  const [a, b, c] = [work(), work(), work()] as const
  const taken = [turns.take('a', a.run), turns.take('a', b.run), turns.take('c', c.run)]
  await settle()
  expect(begun([a, b, c])).toEqual([true, false, true])
  for (const one of [a, b, c]) one.end()
  await Promise.all(taken)
})

test('all keys together have their limit, and the first that may is next', async () => {
  const turns = new Turns({ perKey: 1, all: 2 })
  const all = ['a', 'b', 'a', 'c', 'd'].map((key) => ({ key, ...work() }))
  const taken = all.map(({ key, run }) => turns.take(key, run))
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
  const turns = new Turns({ perKey: 1, all: 1 })
  const [a, b] = [work(), work()] as const
  const failing = turns.take('a', a.run)
  const next = turns.take('b', b.run)
  a.end(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await settle()
  expect(b.isBegun()).toBe(true)
  b.end()
  await next
  expect(await turns.take('a', async () => 7)).toBe(7)
})
