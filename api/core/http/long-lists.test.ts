import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { faultsOfLists } from './long-lists.ts'

const Body = z.strictObject({
  title: z.string(),
  files: z.array(z.strictObject({ path: z.string(), size: z.int() })),
})
const files = (count: number) => Array.from({ length: count }, (_, i) => ({ path: `${i}`, size: i }))

test('a long list without faults is left to its schema', async () => {
  expect(await faultsOfLists(Body, { title: 7, files: files(25_000) })).toBeUndefined()
})

test.each([[3], ['text'], [null], [{}], [{ files: 'none' }], [{ files: files(10) }]])(
  'a body without a long list is left to its schema: %j',
  async (body) => {
    expect(await faultsOfLists(Body, body)).toBeUndefined()
  },
)

test('faults are named by their place in the whole list', async () => {
  const list: unknown[] = files(2000)
  list[1234] = { path: 5, size: 1, more: true }
  const faults = await faultsOfLists(Body, { title: '', files: list })
  expect(faults?.errors.map(({ field, code }) => [field, code])).toEqual([
    ['files.1234.path', 'invalid-type'],
    ['files.1234.more', 'unknown-field'],
  ])
})

test('others have their turn while a long list is looked at', async () => {
  const slow = z.object({ list: z.array(z.string().refine((text) => busy(text))) })
  const over = new AbortController()
  let turns = 0
  const others = (async () => {
    for (; !over.signal.aborted; turns++) await nextTurn()
  })()
  await faultsOfLists(slow, { list: Array.from({ length: 5000 }, () => 'x') })
  over.abort()
  await others
  expect(turns).toBeGreaterThan(5)
})

/** Some microseconds of work, so that ten slices take more than one turn each. */
function busy(text: string): boolean {
  let n = 0
  for (let i = 0; i < 20_000; i++) n += i % (text.length + 1)
  return n >= 0
}
