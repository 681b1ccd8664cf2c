import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiProblem, type Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { useMutation } from '../../../lib/mutation.ts'

export type AuditStream = Operations['getAuditStream']['result']
export type StreamSettings = Operations['setAuditStream']['args']['body']

const queryKey = ['admin', 'audit', 'stream'] as const

/** How often the server is asked while rows are on their way. */
const ASK_MS = 3000

/** The stream of the audit log; `null` when none is set. */
export const streamQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }): Promise<AuditStream | null> =>
    api.getAuditStream({}, { signal }).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 404) return null
      throw error
    }),
  refetchInterval: ({ state: { data } }) => (data?.enabled && data.waiting > 0 ? ASK_MS : 10 * ASK_MS),
})

function useStreamChange<A, R>(mutationFn: (args: A) => Promise<R>) {
  const cache = useQueryClient()
  // The change is a row of the log as well.
  return useMutation({
    mutationFn,
    onSuccess: () => cache.invalidateQueries({ queryKey: ['admin', 'audit'] }),
  })
}

export const useSetStream = () => useStreamChange((body: StreamSettings) => api.setAuditStream({ body }))

export const useDeleteStream = () => useStreamChange((_: undefined) => api.deleteAuditStream({}))

export const useTestStream = () => useMutation({ mutationFn: (_: undefined) => api.testAuditStream({}) })
