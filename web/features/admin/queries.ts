import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'

export type Overview = Operations['getAdminOverview']['result']

export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => api.getAdminOverview({}, { signal }),
})

export type Health = Operations['getHealth']['result']

export const healthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  queryFn: ({ signal }) => api.getHealth({}, { signal }),
})

export type Queue = Operations['getQueue']['result']

export const queueQuery = queryOptions({
  queryKey: ['admin', 'queue'],
  queryFn: ({ signal }) => api.getQueue({}, { signal }),
})

export function useRetryFailedJobs() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['retryFailedJobs']['args']['body']) => api.retryFailedJobs({ body }),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: queueQuery.queryKey }),
        cache.invalidateQueries({ queryKey: ['jobs'] }),
      ]),
  })
}

export type StorageReport = Operations['getStorage']['result']

export const storageQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'storage', days],
    queryFn: ({ signal }) => api.getStorage({ query: { days } }, { signal }),
  })

export function useStartStorageCount() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.startStorageCount({}),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

export type Quota = Operations['updateQuota']['result']

export const quotasQuery = pagedQuery(['admin', 'quotas'], (at, signal) =>
  api.listQuotas({ query: at }, { signal }),
)

export function useUpdateQuota() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['updateQuota']['args']['body']) => api.updateQuota({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: quotasQuery.queryKey }),
  })
}

export type AdminUser = Operations['getAdminUser']['result']
export type UserFilter = NonNullable<Operations['listAdminUsers']['args']['query']>

export const usersQuery = (filter: UserFilter) =>
  pagedQuery(['admin', 'users', filter], (at, signal) =>
    api.listAdminUsers({ query: { ...filter, ...at } }, { signal }),
  )

export type AdminOrg = Operations['listAdminOrgs']['result']['items'][number]

export const orgsQuery = (q: string) =>
  pagedQuery(['admin', 'orgs', q], (at, signal) => api.listAdminOrgs({ query: { q, ...at } }, { signal }))

export type UnsafeFile = Operations['listUnsafeFiles']['result']['items'][number]

export const unsafeFilesQuery = (status: UnsafeFile['status']) =>
  pagedQuery(['admin', 'unsafe-files', status], (at, signal) =>
    api.listUnsafeFiles({ query: { status, ...at } }, { signal }),
  )

export type ImportRule = Operations['listImportRules']['result']['items'][number]

export const importRulesQuery = queryOptions({
  queryKey: ['admin', 'import-rules'],
  queryFn: ({ signal }) => api.listImportRules({}, { signal }),
})

export function useSetImportRule() {
  const cache = useQueryClient()
  type Args = Operations['setImportRule']['args']
  return useMutation({
    mutationFn: ({ of, body }: { of: Args['params']; body: Args['body'] }) =>
      api.setImportRule({ params: of, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: importRulesQuery.queryKey }),
  })
}

export function useDeleteImportRule() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (params: Operations['deleteImportRule']['args']['params']) =>
      api.deleteImportRule({ params }),
    onSuccess: () => cache.invalidateQueries({ queryKey: importRulesQuery.queryKey }),
  })
}

export type Invite = Operations['listInvites']['result']['items'][number]

export const invitesQuery = pagedQuery(['admin', 'invites'], (at, signal) =>
  api.listInvites({ query: at }, { signal }),
)

export type AuditEvent = Operations['listAudit']['result']['items'][number]
export type AuditFilter = NonNullable<Operations['listAudit']['args']['query']>

export const auditQuery = (filter: AuditFilter) =>
  pagedQuery(['admin', 'audit', filter], (at, signal) =>
    api.listAudit({ query: { ...filter, ...at } }, { signal }),
  )

export type AuditChain = Operations['getAuditChain']['result']

export const chainQuery = queryOptions({
  queryKey: ['admin', 'audit', 'chain'],
  queryFn: ({ signal }) => api.getAuditChain({}, { signal }),
  // The answer is of the moment it was asked for.
  gcTime: 0,
})

/** A change of a user by an admin; what was read of users is read again. */
function useUserChange<I, O>(mutationFn: (input: I) => Promise<O>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => cache.invalidateQueries({ queryKey: ['admin', 'users'] }),
  })
}

export const useCreateUser = () =>
  useUserChange((body: Operations['createAdminUser']['args']['body']) => api.createAdminUser({ body }))

export const useUpdateUser = (id: string) =>
  useUserChange((body: Operations['updateAdminUser']['args']['body']) =>
    api.updateAdminUser({ params: { id }, body }),
  )

export const useResetLink = (id: string) => useUserChange(() => api.createResetLink({ params: { id } }))

export const useEmailLink = (id: string) =>
  useUserChange((email: string) => api.createEmailLink({ params: { id }, body: { email } }))

export const useEndSessions = (id: string) => useUserChange(() => api.endUserSessions({ params: { id } }))

export function useCreateInvite() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['createInvite']['args']['body']) => api.createInvite({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  })
}

export function useRevokeInvite() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.revokeInvite({ params: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  })
}

export type Policies = Operations['getPolicies']['result']
export type PolicyEffect = Operations['getPolicyEffect']['result']

export const policiesQuery = queryOptions({
  queryKey: ['admin', 'policies'],
  queryFn: ({ signal }) => api.getPolicies({}, { signal }),
})

/** What policies would touch if they held now. */
export const effectQuery = ({ token_max_days, token_require_expiry, session_idle_minutes }: Policies) =>
  queryOptions({
    queryKey: ['admin', 'policies', 'effect', token_max_days, token_require_expiry, session_idle_minutes],
    queryFn: ({ signal }) => {
      const query = {
        ...(token_max_days !== null && { token_max_days }),
        ...(session_idle_minutes !== null && { session_idle_minutes }),
        token_require_expiry: token_require_expiry ? ('true' as const) : ('false' as const),
      }
      return api.getPolicyEffect({ query }, { signal })
    },
    retry: false,
  })

export function useUpdatePolicies() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['updatePolicies']['args']['body']) => api.updatePolicies({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['admin'] }),
  })
}

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'users', 'one', id],
    queryFn: ({ signal }) => api.getAdminUser({ params: { id } }, { signal }),
  })

export const userSessionsQuery = (id: string) =>
  pagedQuery(['admin', 'users', 'sessions', id], (at, signal) =>
    api.listUserSessions({ params: { id }, query: at }, { signal }),
  )

export const userTokensQuery = (id: string) =>
  pagedQuery(['admin', 'users', 'tokens', id], (at, signal) =>
    api.listUserTokens({ params: { id }, query: at }, { signal }),
  )

export type InstanceToken = Operations['listInstanceTokens']['result']['items'][number]

export const instanceTokensQuery = (isBeyond: boolean) =>
  pagedQuery(['admin', 'tokens', isBeyond], (at, signal) =>
    api.listInstanceTokens(
      { query: { ...at, ...(isBeyond && { beyond_policy: 'true' as const }) } },
      { signal },
    ),
  )

export function useRevokeUserToken() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (params: { id: string; token_id: string }) => api.revokeUserToken({ params }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['admin'] }),
  })
}

export type Config = Operations['getConfig']['result']

export const configQuery = queryOptions({
  queryKey: ['admin', 'config'],
  queryFn: ({ signal }) => api.getConfig({}, { signal }),
})

export type Upkeep = Operations['getUpkeep']['result']

export const upkeepQuery = queryOptions({
  queryKey: ['admin', 'upkeep'],
  queryFn: ({ signal }) => api.getUpkeep({}, { signal }),
})

export function useStartGc() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['startGc']['args']['body']) => api.startGc({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['admin', 'upkeep'] }),
  })
}

export type ScheduledTask = Operations['listSchedules']['result']['items'][number]

export const schedulesQuery = queryOptions({
  queryKey: ['admin', 'schedules'],
  queryFn: ({ signal }) => api.listSchedules({}, { signal }),
})

export function useRunSchedule() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (kind: string) => api.runSchedule({ params: { kind } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['admin'] }),
  })
}
