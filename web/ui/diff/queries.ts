import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { download, fileUrl } from '../../../shared/transfer.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { keyOf } from '../../lib/repo-queries.ts'
import type { HeaderDiff, Job, RepoAddress } from '../../lib/types.ts'

/** The lines of a text at a commit, written as the lines of its diffs are. */
export const linesQuery = (address: RepoAddress, commit: string, path: string) =>
  queryOptions({
    queryKey: [...keyOf(address), 'lines', commit, path],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const response = await download(fileUrl(address, commit, path), { signal })
      // A mark at the beginning is part of the first line.
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
      return text.replace(/\n$/, '').split('\n')
    },
  })

const askedEveryMs = 1000

/** Both sides of a file that was changed. */
export interface Sides {
  old: NonNullable<HeaderDiff['old']>
  new: NonNullable<HeaderDiff['new']>
}

const queryOf = ({ old, new: now }: Sides) => ({
  old: old.commit,
  new: now.commit,
  path: now.path,
  ...(old.path === now.path ? {} : { old_path: old.path }),
})

/** What is known of which tensors have other bytes. */
export const comparisonQuery = (address: RepoAddress, sides: Sides) =>
  queryOptions({
    queryKey: [...keyOf(address), 'tensor-comparison', queryOf(sides)],
    queryFn: ({ signal }) => api.getTensorComparison({ params: address, query: queryOf(sides) }, { signal }),
  })

const isOver = ({ status }: Job) => status !== 'queued' && status !== 'running'

/** Starts the comparison and follows its job; the result is asked for once it has ended. */
export function useComparison(address: RepoAddress, sides: Sides) {
  const cache = useQueryClient()
  const [id, setId] = useState<string>()
  const start = useMutation({
    mutationFn: () => api.compareTensors({ params: address, query: queryOf(sides) }),
    onSuccess: (job) => {
      setId(job.id)
      return cache.invalidateQueries({ queryKey: ['jobs'] })
    },
  })
  const job = useQuery({
    queryKey: ['jobs', 'one', id ?? ''],
    enabled: id !== undefined,
    queryFn: ({ signal }) => api.getJob({ params: { id: id ?? '' } }, { signal }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : askedEveryMs),
  })
  const cancel = useMutation({
    mutationFn: () => api.cancelJob({ params: { id: id ?? '' } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const hasEnded = job.data !== undefined && isOver(job.data)
  const { queryKey } = comparisonQuery(address, sides)
  const resultKey = JSON.stringify(queryKey)
  useEffect(() => {
    if (hasEnded) void cache.invalidateQueries({ queryKey: JSON.parse(resultKey) as readonly unknown[] })
  }, [hasEnded, cache, resultKey])
  return { start, job: job.data, cancel, isRunning: job.data !== undefined && !hasEnded }
}
