import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../../shared/client.ts'
import { meQuery } from './session.ts'
import { noteSignedOut } from './signed-out.ts'

const passing = new Set([0, 408, 429, 502, 503, 504])

/** After this long a page says that it waits, instead of seeming to load. */
const longestPauseS = 5

/** Whether a read is asked again unasked: after failures that may pass soon, twice, and not where an answer never came. */
function isWorthwhile(tries: number, error: unknown): boolean {
  if (!(error instanceof ApiProblem) || !passing.has(error.status)) return false
  return tries < 2 && error.code !== 'no-answer' && (error.retryAfterS ?? 0) <= longestPauseS
}

const pauseMs = (tries: number, error: unknown) =>
  Math.max(1000 * 2 ** tries, 1000 * ((error instanceof ApiProblem && error.retryAfterS) || 0))

/**
 * The page's cache of answers. Only failures that may pass are tried again; a lapsed session, or one that another tab has
 * changed, has the page check again who is signed in.
 */
export function createQueryClient(): QueryClient {
  const askWho = (error: unknown) => {
    noteSignedOut(error)
    const isOutdated =
      error instanceof ApiProblem && (error.status === 401 || error.code === 'csrf-token-invalid')
    if (isOutdated) void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: askWho }),
    mutationCache: new MutationCache({ onError: askWho }),
    defaultOptions: {
      // The browser's own idea of being online says nothing of a server on the same network, and waiting for it has no end.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 15_000,
        refetchOnWindowFocus: false,
        retry: isWorthwhile,
        retryDelay: pauseMs,
      },
    },
  })
  return client
}
