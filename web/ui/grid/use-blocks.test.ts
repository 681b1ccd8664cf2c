import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { blocksOf, trimBlocks } from './use-blocks.ts'

test('blocks are aligned, whatever is in sight', () => {
  expect(blocksOf(-40, 30)).toEqual([0])
  expect(blocksOf(95, 205)).toEqual([0, 1, 2])
  expect(blocksOf(1_000_000, 1_000_020)).toEqual([10_000])
})

test('of the blocks that nothing shows the latest fifty are kept', () => {
  const cache = new QueryClient()
  const key = ['rows', 'train']
  for (let block = 0; block < 80; block++)
    cache.setQueryData([...key, 'block', block], { block }, { updatedAt: 1000 + block })
  cache.setQueryData(['rows', 'test', 'block', 0], {}, { updatedAt: 1 })
  const shown = new QueryObserver(cache, {
    queryKey: [...key, 'block', 0],
    queryFn: () => ({}),
    staleTime: Infinity,
  })
  const leave = shown.subscribe(() => {})
  trimBlocks(cache, key)
  leave()
  const kept = cache.getQueryCache().findAll({ queryKey: [...key, 'block'] })
  const expected = [0, ...Array.from({ length: 50 }, (_, i) => 30 + i)]
  expect(kept.map(({ queryKey }) => queryKey.at(-1))).toEqual(expected)
  expect(cache.getQueryData(['rows', 'test', 'block', 0])).toEqual({})
})
