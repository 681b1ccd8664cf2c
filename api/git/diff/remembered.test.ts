import { expect, test } from 'vitest'
import { Remembered } from './remembered.ts'

const found = (value: string) => ({ value, isFinal: true })

test('what many ask for at once is looked for once', async () => {
  const remembered = new Remembered<string>(10_000, (value) => value.length)
  let looks = 0
  const look = async () => {
    looks++
    await new Promise((resolve) => setImmediate(resolve))
    return found('it')
  }
  const all = await Promise.all(Array.from({ length: 20 }, () => remembered.get('key', look)))
  expect(new Set(all)).toEqual(new Set(['it']))
  expect([looks, await remembered.get('key', look), looks, remembered.peek('key')]).toEqual([
    1,
    'it',
    1,
    'it',
  ])
})

test('a failure is not remembered', async () => {
  const remembered = new Remembered<string>(10_000, (value) => value.length)
  await expect(remembered.get('key', () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
  expect(await remembered.get('key', async () => found('now'))).toBe('now')
})

test('memory is bounded', async () => {
  const remembered = new Remembered<string>(1000, (value) => value.length)
  for (const key of ['a', 'b', 'c', 'd']) await remembered.get(key, async () => found('x'.repeat(100)))
  expect(['a', 'b', 'c', 'd'].map((key) => remembered.peek(key) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
  ])
})
