import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiProblem } from '../../shared/client.ts'
import { api, setCsrfToken } from './api.ts'
import type { Me } from './types.ts'

/** Who is signed in: `null` for nobody, also when the session has expired. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Me | null> => {
    const me = await api.getMe({}, { signal }).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 401) return null
      throw error
    })
    setCsrfToken(me?.csrf_token)
    return me ?? null
  },
})

/** The signed-in person, `null` for nobody, `undefined` while it is not known. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data
}
