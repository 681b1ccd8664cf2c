import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { signWithPasskey } from '../../lib/passkeys.ts'
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
    onSuccess: (begun) => {
      if (!('ticket' in begun)) becomePerson(cache, begun)
    },
  })
}

/** What is asked of one whose password was right, and who has a passkey. */
export type FactorAsked = Extract<Operations['login']['result'], { ticket: string }>

/** Ends such a sign-in, by passkey or with a recovery code. */
export function useFinishLogin({ ticket, passkey: options }: FactorAsked) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (recovery_code: string | undefined) => {
      if (recovery_code !== undefined) return api.finishLogin({ body: { ticket, recovery_code } })
      const passkey = await signWithPasskey(options ?? { challenge: '' })
      return api.finishLogin({ body: { ticket, passkey } })
    },
    onSuccess: (me) => becomePerson(cache, me),
  })
}

/** Signs in with a passkey alone. */
export function usePasskeySignIn() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const passkey = await signWithPasskey(await api.createPasskeySignInOptions())
      return api.signInWithPasskey({ body: { passkey } })
    },
    onSuccess: (me) => becomePerson(cache, me),
  })
}

export function useDecideDevice() {
  return useMutation({
    mutationFn: (body: { user_code: string; decision: 'approve' | 'deny' }) => api.decideDevice({ body }),
  })
}
