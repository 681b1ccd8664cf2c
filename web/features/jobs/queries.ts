import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { jobLog, limits, type JobStatus } from '../../../shared/vocabulary.ts'
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

/** One line of the log of a job. */
export type LogLine = Operations['getJobLog']['result']['items'][number]

type Pull = Operations['getPull']['result']

/** A pull with its files; events bring them as well, and where those do not come through it is asked for often. */
export const pullQuery = ({ id, status }: Pick<Job, 'id' | 'status'>, isRunning: boolean) =>
  queryOptions({
    queryKey: ['jobs', 'pull', id, status],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.getPull({ params: { id } }, { signal }),
    refetchInterval: isRunning ? activeMs : false,
  })

/** The log of a job. Each time only what has come since is read; of a long one the same lines stay as on the server. */
const jobLogQuery = (id: string) => {
  const queryKey = ['jobs', 'log', id]
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<LogLine[]> => {
      let lines = client.getQueryData<LogLine[]>(queryKey) ?? []
      for (let hasMore = true; hasMore;) {
        const after = lines.at(-1)?.number ?? 0
        const page = await api.getJobLog(
          { params: { id }, query: { after, limit: limits.pageMax } },
          { signal },
        )
        lines = [...lines, ...page.items]
        hasMore = page.next_cursor !== ''
      }
      const newest = lines.slice(jobLog.first).slice(jobLog.first - jobLog.maxLines)
      return [...lines.slice(0, jobLog.first), ...newest]
    },
  })
}

/** The lines of the log, which follow the job while it runs. */
export function useJobLog({ id, log_lines: count }: Pick<Job, 'id' | 'log_lines'>) {
  const query = useQuery({ ...jobLogQuery(id), enabled: count > 0 })
  const { data, isFetching, refetch } = query
  const asked = useRef(0)
  // Once for each count: what is not there then has been deleted.
  useEffect(() => {
    if (!data || isFetching || asked.current === count) return
    asked.current = count
    if ((data.at(-1)?.number ?? 0) < count) void refetch()
  }, [data, isFetching, refetch, count])
  return query
}

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
