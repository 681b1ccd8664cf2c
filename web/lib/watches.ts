import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { WatchLevel } from '../../shared/vocabulary.ts'
import { api } from './api.ts'
import { useMutation } from './mutation.ts'
import { pagedQuery } from './paging.ts'
import type { RepoAddress } from './types.ts'

/** Which news of a repo the person has chosen; no level for the usual ones. */
export const watchQuery = ({ type, ns, name }: RepoAddress) =>
  queryOptions({
    queryKey: ['watches', type, ns, name],
    queryFn: ({ signal }) => api.getWatch({ params: { type, ns, name } }, { signal }),
  })

/** Repos of which the person has chosen the news. */
export const watchedQuery = pagedQuery(['watches', 'list'], (at, signal) =>
  api.listWatchedRepos({ query: at }, { signal }),
)

/** Chooses the news of a repo, or goes back to the usual ones. */
export function useWatch(params: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (level: WatchLevel | undefined) => {
      if (level) return api.watchRepo({ params, body: { level } })
      await api.unwatchRepo({ params })
      return {}
    },
    onSuccess: (status) => {
      cache.setQueryData(watchQuery(params).queryKey, status)
      return cache.invalidateQueries({ queryKey: ['watches', 'list'] })
    },
  })
}
