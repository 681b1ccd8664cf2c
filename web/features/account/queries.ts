import { useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'
import { makePasskey } from '../../lib/passkeys.ts'
import { meQuery } from '../../lib/session.ts'

export type TokenCreate = Operations['createToken']['args']['body']

export const signInsQuery = pagedQuery(['account', 'sign-ins'], (at, signal) =>
  api.listSignIns({ query: { ...at, limit: 20 } }, { signal }),
)

export const sessionsQuery = pagedQuery(['account', 'sessions'], (at, signal) =>
  api.listSessions({ query: at }, { signal }),
)
export const tokensQuery = pagedQuery(['account', 'tokens'], (at, signal) =>
  api.listTokens({ query: at }, { signal }),
)

export const ollamaKeysQuery = pagedQuery(['account', 'ollama-keys'], (_at, signal) =>
  api.listOllamaKeys({}, { signal }),
)

export function useUpdateMe() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['updateMe']['args']['body']) => api.updateMe({ body }),
    // The answer to a change carries no CSRF token where the session keeps its own.
    onSuccess: () => cache.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
}

export function useChangePassword() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) => api.changePassword({ body }),
    // Who is signed in also says whether the server made their password up.
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['account', 'sessions'] }),
        cache.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]),
  })
}

export function useRevokeSession() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.revokeSession({ params: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['account', 'sessions'] }),
  })
}

/** A token as a person asks for it: for so many days from now, or for good. */
export type TokenWish = Omit<TokenCreate, 'expires_at'> & { days: number | undefined }

const dayMs = 86_400_000
const endOf = (days: number | undefined) =>
  days === undefined ? {} : { expires_at: new Date(Date.now() + days * dayMs).toISOString() }

export function useCreateToken() {
  const cache = useQueryClient()
  return useMutation({
    // The time is fixed here, so the second press of a double click asks for the same.
    mutationFn: ({ days, ...body }: TokenWish) => api.createToken({ body: { ...body, ...endOf(days) } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['account', 'tokens'] }),
  })
}

export function useRevokeToken() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.revokeToken({ params: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['account', 'tokens'] }),
  })
}

export function useSaveOllamaKey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['createOllamaKey']['args']['body']) => api.createOllamaKey({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ollamaKeysQuery.queryKey }),
  })
}

export function useDeleteOllamaKey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteOllamaKey({ params: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ollamaKeysQuery.queryKey }),
  })
}

export function useConnectIdentity() {
  return useMutation({
    mutationFn: (body: Operations['connectIdentity']['args']['body']) => api.connectIdentity({ body }),
  })
}

export function useDisconnectIdentity() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (provider: string) => api.disconnectIdentity({ params: { provider } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
}

export const passkeysQuery = pagedQuery(['account', 'passkeys'], (_at, signal) =>
  api.listPasskeys({}, { signal }),
)

/** A change of passkeys or codes; what is known of both is read again. */
function useFactorChange<I, O>(mutationFn: (input: I) => Promise<O>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      await cache.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
}

/** Has the browser make a passkey, and saves it; the first comes with recovery codes. */
export const useAddPasskey = () =>
  useFactorChange(async (name: string) => {
    const credential = await makePasskey(await api.createPasskeyOptions())
    return api.createPasskey({ body: { name, credential } })
  })

export const useRenamePasskey = (id: string) =>
  useFactorChange((name: string) => api.updatePasskey({ params: { id }, body: { name } }))

export const useRemovePasskey = () => useFactorChange((id: string) => api.deletePasskey({ params: { id } }))

export const useRecoveryCodes = () => useFactorChange((_: void) => api.createRecoveryCodes())
