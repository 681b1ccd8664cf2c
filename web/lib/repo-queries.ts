import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Repo, RepoAddress } from './types.ts'

/** Diffs that come with the list of changed files, so that nothing moves where the eye is. */
export const diffsAtOnce = 4

/** What everything read of a repo is kept under. */
export const keyOf = ({ type, ns, name }: RepoAddress) => ['repo', type, ns, name] as const

export const refsQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: [...keyOf(address), 'refs'],
    queryFn: ({ signal }) => api.getRefs({ params: address }, { signal }),
  })

/** A discussion or pull request with its thread. */
export const discussionQuery = (address: RepoAddress, num: number) =>
  queryOptions({
    queryKey: [...keyOf(address), 'discussion', num],
    queryFn: ({ signal }) => api.getDiscussion({ params: { ...address, num } }, { signal }),
  })

/** Downloads and sizes by day. */
export const statsQuery = (address: RepoAddress, days: number) =>
  queryOptions({
    queryKey: [...keyOf(address), 'stats', days],
    queryFn: ({ signal }) => api.getStats({ params: address, query: { days } }, { signal }),
  })

/** The GGUF models of a model's default branch, by quant. */
export const quantsQuery = ({ type, ns, name, head_commit }: Repo) =>
  queryOptions({
    queryKey: ['quants', type, ns, name, head_commit ?? ''],
    queryFn: ({ signal }) => api.listQuants({ params: { type: `${type}s`, ns, name } }, { signal }),
  })
