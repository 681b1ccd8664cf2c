import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { becomePerson } from '../../lib/session.ts'

/** Who waits behind a device code; never cached, since a code lives minutes. */
export const deviceQuery = (userCode: string) =>
  queryOptions({
    queryKey: ['auth', 'device', userCode],
    queryFn: ({ signal }) => api.getDeviceRequest({ query: { user_code: userCode } }, { signal }),
    staleTime: 0,
    retry: false,
  })

/** Sign-in forgets everything that was read before it. */
export function useLogin() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { username: string; password: string }) => api.login({ body }),
    onSuccess: (me) => {
      becomePerson(cache, me)
    },
  })
}

export function useDecideDevice() {
  return useMutation({
    mutationFn: (body: { user_code: string; decision: 'approve' | 'deny' }) => api.decideDevice({ body }),
  })
}
