import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { LEAST_BYTES, ReadMemory, reuse } from './read-memory.ts'

const MIB = 1024 * 1024

const readers: ReadMemory[] = []
const open = () => {
  const memory = new ReadMemory({})
  readers.push(memory)
  return memory
}
afterEach(() => {
  for (const reader of readers.splice(0)) reader.releaseAll()
})
const sizeOf = ({ buffer }: Uint8Array) => buffer.byteLength

test('a reader alone has chunks of 1 MiB, and no more than it wants', () => {
  const reader = open()
  expect([reader.take(5 * MIB), reader.take(5 * MIB)].map(sizeOf)).toEqual([MIB, MIB])
  expect(reader.take(100_000)).toHaveLength(100_000)
})

test('many readers have small chunks, and together little more than the least of each', () => {
  const chunks = Array.from({ length: 500 }, () => open().take(5 * MIB))
  const total = chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0)
  expect(total).toBeLessThan(500 * LEAST_BYTES + 8 * MIB)
  expect(sizeOf(chunks.at(-1) ?? expect.fail())).toBe(LEAST_BYTES)
})

test('what is released is free for others, once', () => {
  const crowd = Array.from({ length: 500 }, open)
  const chunks = crowd.map((reader) => reader.take(MIB))
  for (const [i, reader] of crowd.entries()) {
    reader.releaseAll()
    reader.release(chunks[i] ?? expect.fail())
  }
  const readers = Array.from({ length: 500 }, () => open().take(5 * MIB))
  expect(sizeOf(readers[0] ?? expect.fail())).toBe(MIB)
  expect(readers.reduce((sum, chunk) => sum + sizeOf(chunk), 0)).toBeLessThan(500 * LEAST_BYTES + 8 * MIB)
})

test('a reader that is left half-way holds nothing for ever', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  for (let n = 0; n < 500; n++) new ReadMemory({}).take(MIB)
  const sizeAfterwards = () => {
    gc()
    const reader = open()
    const size = sizeOf(reader.take(MIB))
    reader.releaseAll()
    return size
  }
  await vi.waitUntil(() => sizeAfterwards() === MIB)
  expect(sizeAfterwards()).toBe(MIB)
})

test('a chunk that was given back is filled again by any reader of its size', () => {
  const one = open()
  const chunk = one.take(MIB)
  reuse(chunk)
  one.releaseAll()
  expect(open().take(MIB).buffer).toBe(chunk.buffer)
})

test('what is given back twice, in part, or came from elsewhere is filled by one reader at most', () => {
  const one = open()
  const chunk = one.take(MIB)
  reuse(chunk)
  reuse(chunk)
  reuse(new Uint8Array(MIB))
  const cut = one.take(MIB)
  reuse(cut.subarray(1))
  one.releaseAll()
  const buffers = [open().take(MIB), open().take(MIB)].map(({ buffer }) => buffer)
  expect(new Set([cut.buffer, ...buffers]).size).toBe(3)
})
