import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { pagedQuery } from '../../lib/paging.ts'

/** What is new by those that the person follows, and where the person takes part. */
export const feedQuery = {
  ...pagedQuery(['feed'], (at, signal) => api.getFeed({ query: { limit: 20, ...at } }, { signal })),
  // Whom they follow is changed on other pages, from which they come back to see it.
  staleTime: 0,
}

/** Users and organisations whose repos are liked and used most now, each once. */
export const trendingOwnersQuery = queryOptions({
  queryKey: ['repos', 'trending', 'owners'],
  queryFn: async ({ signal }) => {
    const { items } = await api.listRepos({ query: { sort: 'trending', limit: 50 } }, { signal })
    return [...new Set(items.map(({ ns }) => ns))]
  },
})
