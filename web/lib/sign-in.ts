import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** How people may sign in, and whether those who are not signed in can read public repos. */
export const providersQuery = queryOptions({
  queryKey: ['auth', 'providers'],
  queryFn: ({ signal }) => api.getAuthProviders({}, { signal }),
})

/** Who can read what is public here, in words for a sentence; the narrower answer until it is known. */
export function usePublicReaders(): string {
  const { data } = useQuery(providersQuery)
  return data?.anonymous_read ? 'Anyone who can reach this server' : 'Everyone who is signed in'
}
