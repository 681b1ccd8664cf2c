import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../../shared/client.ts'
import { api, setCsrfToken } from './api.ts'
import type { Me } from './types.ts'

/** Asks who is signed in, and keeps the CSRF token of their session: another tab may have signed out, or in again. */
export async function askMe(signal?: AbortSignal): Promise<Me | null> {
  const me = await api.getMe({}, { signal }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  })
  setCsrfToken(me?.csrf_token)
  return me ?? null
}

/** Who is signed in: `null` for nobody, also when the session has expired. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: ({ signal }) => askMe(signal),
})

/** The signed-in person, `null` for nobody, `undefined` while it is not known. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data
}

/** The page now belongs to `me`, or to nobody: what was read for another is forgotten and asked again. */
export function becomePerson(cache: QueryClient, me: Me | null): void {
  setCsrfToken(me?.csrf_token)
  cache.setQueryData(meQuery.queryKey, me)
  void cache.resetQueries({ predicate: (query) => query.queryKey[0] !== meQuery.queryKey[0] })
}
