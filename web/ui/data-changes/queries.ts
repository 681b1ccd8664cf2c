import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { keyOf } from '../../lib/repo-queries.ts'
import type { Job, RepoAddress } from '../../lib/types.ts'

type Known = Operations['getDataChanges']['result']
export type DataChanges = NonNullable<Known['changes']>
export type ConfigChanges = DataChanges['configs'][number]
export type SplitChanges = ConfigChanges['splits'][number]

export interface Commits {
  base: string
  head: string
}

const askedEveryMs = 1000

/** What is known of how the rows of two commits differ. */
export const dataChangesQuery = ({ ns, name, ...address }: RepoAddress, commits: Commits) =>
  queryOptions({
    queryKey: [...keyOf({ ns, name, ...address }), 'data-changes', commits],
    staleTime: Infinity,
    queryFn: ({ signal }) => api.getDataChanges({ params: { ns, name }, query: { ...commits } }, { signal }),
  })

const isOver = ({ status }: Job) => status !== 'queued' && status !== 'running'

/** Starts the comparison and follows its job; the result is asked for once it has ended. */
export function useDataComparison(address: RepoAddress, commits: Commits) {
  const { ns, name } = address
  const cache = useQueryClient()
  const [id, setId] = useState<string>()
  const start = useMutation({
    mutationFn: () => api.compareData({ params: { ns, name }, query: { ...commits } }),
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
  const hasEnded = job.data !== undefined && isOver(job.data)
  const { queryKey } = dataChangesQuery(address, commits)
  const resultKey = JSON.stringify(queryKey)
  useEffect(() => {
    if (hasEnded) void cache.invalidateQueries({ queryKey: JSON.parse(resultKey) as readonly unknown[] })
  }, [hasEnded, cache, resultKey])
  return { start, job: job.data, isRunning: job.data !== undefined && !hasEnded }
}
