import { expect, test } from 'vitest'
import type { Caller } from '../../../platform/flow/index.ts'
import { Remembered, type Finding } from './remembered.ts'

const found = (value: string) => ({ value, isFinal: true })

test('what many ask for at once is looked for once', async () => {
  const remembered = new Remembered<string>(10_000, (value) => value.length)
  let looks = 0
  const look = async () => {
    looks++
    await new Promise((resolve) => setImmediate(resolve))
    return found('it')
  }
  const all = await Promise.all(Array.from({ length: 20 }, () => remembered.get('key', {}, look)))
  expect(new Set(all)).toEqual(new Set(['it']))
  expect([looks, await remembered.get('key', {}, look), looks, remembered.peek('key')]).toEqual([
    1,
    'it',
    1,
    'it',
  ])
})

test('a failure is not remembered', async () => {
  const remembered = new Remembered<string>(10_000, (value) => value.length)
  await expect(remembered.get('key', {}, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
  expect(await remembered.get('key', {}, async () => found('now'))).toBe('now')
})

test('a search goes on while one of those who asked still waits, and ends with the last', async () => {
  const remembered = new Remembered<string>(10_000, (value) => value.length)
  const [first, second] = [new AbortController(), new AbortController()]
  let looks = 0
  let isOver = false
  const look = ({ signal }: Caller) =>
    new Promise<Finding<string>>((_resolve, reject) => {
      looks++
      signal?.addEventListener('abort', () => {
        isOver = true
        reject(new Error('over'))
      })
    })
  const askers = [first, second].map(({ signal }) => remembered.get('key', { signal }, look))
  first.abort(new Error('the first has gone'))
  await expect(askers[0]).rejects.toThrow('the first has gone')
  expect([looks, isOver]).toEqual([1, false])
  second.abort(new Error('the second has gone'))
  await expect(askers[1]).rejects.toThrow('the second has gone')
  expect([looks, isOver]).toEqual([1, true])
  expect(await remembered.get('key', {}, async () => found('later'))).toBe('later')
})

test('memory is bounded', async () => {
  const remembered = new Remembered<string>(1000, (value) => value.length)
  for (const key of ['a', 'b', 'c', 'd']) await remembered.get(key, {}, async () => found('x'.repeat(100)))
  expect(['a', 'b', 'c', 'd'].map((key) => remembered.peek(key) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
  ])
})
