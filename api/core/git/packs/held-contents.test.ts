import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { collect } from '../../../stores/storage/index.ts'
import { HeldContents, sharedStream } from './held-contents.ts'

const content = Buffer.alloc(10)

test('one who reads alone shares nothing; others read the same bytes, until the last has gone', async () => {
  const held = new HeldContents(10)
  let loads = 0
  const join = () => held.join('a', 10, async () => (loads++, content))
  const [alone, second, third] = [join(), join(), join()]
  expect(alone.bytes).toBeUndefined()
  expect(await second.bytes).toBe(content)
  expect(await third.bytes).toBe(content)
  expect([loads, held.bytes]).toEqual([1, 10])
  for (const { done } of [alone, second]) done()
  expect(held.bytes).toBe(10)
  third.done()
  expect(held.bytes).toBe(0)
})

test('what has no room is not shared, and is later', () => {
  const held = new HeldContents(10)
  const join = (key: string) => held.join(key, 10, async () => content)
  const first = [join('a'), join('a')]
  expect(join('b').bytes).toBeUndefined()
  expect(join('b').bytes).toBeUndefined()
  for (const { done } of first) done()
  expect(join('b').bytes).toBeDefined()
})

test('whether shared or not, each reader has the range it asked for, and what it opened is closed', async () => {
  const dir = await mkdtemp(pathOf(tmpdir(), 'held-'))
  const whole = Buffer.alloc(3 * 2 ** 20, 'arsenal of bytes')
  const deflated = deflateSync(whole)
  const path = pathOf(dir, 'deflated')
  await writeFile(path, deflated)
  const span = { start: 0, end: deflated.length, sizeBytes: whole.length }
  const held = new HeldContents(whole.length)
  const ranges = [
    { offset: 0, length: whole.length },
    { offset: 1, length: 2 ** 20 + 1 },
    { offset: 2 ** 21, length: 2 ** 20 },
    { offset: 5, length: 0 },
  ]
  const files = await Promise.all(ranges.map(() => open(path)))
  const read = await Promise.all(
    ranges.map((range, i) => {
      const file = files[i]
      if (!file) throw new Error('no file')
      return collect(sharedStream(held, 'a', { file, span }, range), whole.length)
    }),
  )
  for (const [i, { offset, length }] of ranges.entries())
    expect(read[i]?.equals(whole.subarray(offset, offset + length))).toBe(true)
  expect(held.bytes).toBe(0)
  expect(files.map(({ fd }) => fd)).toEqual(ranges.map(() => -1))
  await rm(dir, { recursive: true })
})
