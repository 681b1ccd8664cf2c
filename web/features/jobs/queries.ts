import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { JobStatus } from '../../../shared/vocabulary.ts'
import type { Operations } from '../../../shared/client.ts'
import { jobEventsUrl } from '../../../shared/transfer.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'
import type { Job } from '../../lib/types.ts'

export interface JobFilter {
  mine: boolean
  status?: JobStatus
  kind?: string
  /** `models/ns/name` */
  repo?: string
}

export const isUnfinished = (job: Job) => job.status === 'queued' || job.status === 'running'

/** Whether it is at work, or will be as soon as there is room: the last purge of a deleted repo waits for days. */
export const isActive = (job: Job) => isUnfinished(job) && job.run_after === undefined

const activeMs = 2500
const idleMs = 20_000

export const jobsQuery = (filter: JobFilter) =>
  pagedQuery(['jobs', 'list', filter], (at, signal) =>
    api.listJobs({ query: { ...filter, mine: filter.mine ? 'true' : 'false', ...at } }, { signal }),
  )

/** The person's latest jobs for the tray: asked often while one is active, seldom otherwise. */
export const recentJobsQuery = queryOptions({
  queryKey: ['jobs', 'recent'],
  queryFn: ({ signal }) => api.listJobs({ query: { mine: 'true', limit: 10 } }, { signal }),
  refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? activeMs : idleMs),
})

const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: ({ signal }) => api.getJob({ params: { id } }, { signal }),
  })

type Pull = Operations['getPull']['result']

/** A pull with its files; events bring them as well, and where those do not come through it is asked for often. */
export const pullQuery = ({ id, status }: Pick<Job, 'id' | 'status'>, isRunning: boolean) =>
  queryOptions({
    queryKey: ['jobs', 'pull', id, status],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.getPull({ params: { id } }, { signal }),
    refetchInterval: isRunning ? activeMs : false,
  })

/** One job, kept current by server-sent events, and by asking again where those do not come through. */
export function useJob(id: string) {
  const cache = useQueryClient()
  const [hasEvents, setHasEvents] = useState(true)
  const query = useQuery({
    ...jobQuery(id),
    refetchInterval: ({ state }) => (!hasEvents && state.data && isUnfinished(state.data) ? activeMs : false),
  })
  const isLive = query.data !== undefined && isUnfinished(query.data)
  useEffect(() => {
    if (!isLive) return
    const source = new EventSource(jobEventsUrl(id))
    const take = (event: MessageEvent<string>) => {
      const job = JSON.parse(event.data) as Job | Pull
      if ('files' in job) cache.setQueryData(pullQuery(job, true).queryKey, job)
      cache.setQueryData(jobQuery(id).queryKey, job)
    }
    source.addEventListener('message', take)
    source.addEventListener('job', take)
    source.addEventListener('error', () => {
      source.close()
      setHasEvents(false)
    })
    return () => source.close()
  }, [id, isLive, cache])
  return query
}

export function useCancelJob() {
  return useJobMutation((id) => api.cancelJob({ params: { id } }))
}

export function useRetryJob() {
  return useJobMutation((id) => api.retryJob({ params: { id } }))
}

function useJobMutation(mutationFn: (id: string) => Promise<Job>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (job) => {
      cache.setQueryData(jobQuery(job.id).queryKey, job)
      return cache.invalidateQueries({ queryKey: ['jobs'] })
    },
  })
}
