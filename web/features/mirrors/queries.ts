import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { DiscoverDetail, DiscoveredRepo, Operations } from '../../../shared/client.ts'
import type { DiscoverSort, RepoTypePath } from '../../../shared/vocabulary.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'

export type PullCreate = Operations['createPull']['args']['body']
export type Found = DiscoveredRepo
export type FoundDetail = DiscoverDetail

export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams'],
  queryFn: ({ signal }) => api.listUpstreams({}, { signal }),
})

/** What is looked for at an upstream. */
export interface DiscoverFilter {
  upstream: string
  search?: string
  author?: string
  filter?: string[]
  sort: DiscoverSort
}

export const discoverQuery = (type: RepoTypePath, filter: DiscoverFilter) =>
  pagedQuery(['discover', type, filter], (at, signal) =>
    api.discover({ params: { type }, query: { ...filter, ...at, limit: 30 } }, { signal }),
  )

/** A repo of an upstream by its address. */
export interface DiscoverAddress {
  upstream: string
  type: RepoTypePath
  ns: string
  name: string
  rev?: string
}

export const discoveredQuery = ({ upstream, rev, ...params }: DiscoverAddress) =>
  queryOptions({
    queryKey: ['discover', 'repo', upstream, params, rev],
    queryFn: ({ signal }) =>
      api.discoverRepo({ params, query: { upstream, ...(rev ? { rev } : {}) } }, { signal }),
  })

export const savedTokenQuery = (upstream: string) =>
  queryOptions({
    queryKey: ['upstream-token', upstream],
    queryFn: ({ signal }) => api.getUpstreamToken({ params: { upstream } }, { signal }),
  })

export function useSaveToken(upstream: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => api.saveUpstreamToken({ params: { upstream }, body: { token } }),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['upstream-token', upstream] }),
        cache.invalidateQueries({ queryKey: ['discover'] }),
      ]),
  })
}

export function useDeleteToken(upstream: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.deleteUpstreamToken({ params: { upstream } }),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['upstream-token', upstream] }),
        cache.invalidateQueries({ queryKey: ['discover'] }),
      ]),
  })
}

export function useCreatePull() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: PullCreate) => api.createPull({ body }),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['jobs'] }),
        cache.invalidateQueries({ queryKey: ['discover'] }),
      ]),
  })
}
