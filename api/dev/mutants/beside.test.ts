import { expect, test } from 'vitest'
import { eachBeside } from './beside.ts'

test('every item is taken once, in order, by whichever worker is free', async () => {
  const taken: string[] = []
  const ends = new Map<number, () => void>()
  const done = eachBeside(['a', 'b'], [1, 2, 3, 4], async (worker, item) => {
    taken.push(`${worker}${item}`)
    await new Promise<void>((resolve) => ends.set(item, resolve))
  })
  const end = async (item: number) => {
    ends.get(item)?.()
    await new Promise(setImmediate)
  }
  expect(taken).toEqual(['a1', 'b2'])
  await end(2)
  expect(taken).toEqual(['a1', 'b2', 'b3'])
  await end(3)
  expect(taken).toEqual(['a1', 'b2', 'b3', 'b4'])
  await end(1)
  await end(4)
  await done
})
