import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../../shared/client.ts'

const passing = new Set([0, 408, 429, 502, 503, 504])

/** The page's cache of answers. Only failures that may pass are tried again; a lapsed session signs the page out. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (error instanceof ApiProblem && error.status === 401 && query.queryKey[0] !== 'me')
          void client.invalidateQueries({ queryKey: ['me'] })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        refetchOnWindowFocus: false,
        retry: (tries, error) => tries < 2 && error instanceof ApiProblem && passing.has(error.status),
      },
    },
  })
  return client
}
