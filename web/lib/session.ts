import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../../shared/client.ts'
import { api, setCsrfToken } from './api.ts'
import { forgetRecentRepos } from './recent-repos.ts'
import { noteSignedOut, setSignedOutReason } from './signed-out.ts'
import { createStore } from './store.ts'
import type { Me } from './types.ts'
import { hasUnsaved } from './unsaved.ts'

const meKey = ['me'] as const

/** Asks who is signed in, and keeps the CSRF token of their session: another tab may have signed out, or in again. */
export async function askMe(signal?: AbortSignal): Promise<Me | null> {
  const me = await api.getMe({}, { signal }).catch((error: unknown) => {
    noteSignedOut(error)
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  })
  setCsrfToken(me?.csrf_token)
  return me ?? null
}

/**
 * Who is signed in: `null` for an anonymous visitor, also when the session has expired. A page with an unsaved text still
 * belongs to its author, and asks them to sign in again ({@link useLapsed}).
 */
export const meQuery = queryOptions({
  queryKey: meKey,
  staleTime: 60_000,
  // Another tab may have signed in or out.
  refetchOnWindowFocus: 'always',
  queryFn: async ({ signal, client }): Promise<Me | null> => {
    const me = await askMe(signal)
    const before = client.getQueryData<Me | null>(meKey)
    const isKept = me === null && before !== null && before !== undefined && hasUnsaved()
    setLapsed(isKept)
    if (isKept) return before
    if (before !== undefined && before?.id !== me?.id) forgetOthers(client)
    return me
  },
})

/** The signed-in person, `null` for an anonymous visitor, `undefined` while it is not known. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data
}

/** The page now belongs to `me`, or to an anonymous visitor: what was read for another is dropped and fetched again. */
export function becomePerson(cache: QueryClient, me: Me | null): void {
  const before = cache.getQueryData<Me | null>(meKey)
  setLapsed(false)
  setSignedOutReason(undefined)
  setCsrfToken(me?.csrf_token)
  // An answer that is on its way says who it was before.
  void cache.cancelQueries({ queryKey: meKey, exact: true })
  cache.setQueryData(meKey, me)
  // The same person keeps the page as it is after signing in again, with what they wrote.
  if (me && before?.id === me.id) void cache.invalidateQueries()
  else forgetOthers(cache)
}

function forgetOthers(cache: QueryClient): void {
  forgetRecentRepos()
  void cache.resetQueries({ predicate: (query) => query.queryKey[0] !== meKey[0] })
}

/** Whether the session has ended under an unsaved text. */
export const { set: setLapsed, use: useLapsed } = createStore(false)
