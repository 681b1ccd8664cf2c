import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import type { Role } from '../../../shared/vocabulary.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { namespaceQuery } from '../../lib/namespace.ts'
import { pagedQuery } from '../../lib/paging.ts'
import { meQuery } from '../../lib/session.ts'

type OrgCreate = Operations['createOrg']['args']['body']
type OrgUpdate = Operations['updateOrg']['args']['body']

export const readmeQuery = (ns: string) =>
  queryOptions({
    queryKey: ['namespace', ns, 'readme'],
    queryFn: ({ signal }) => api.getNamespaceReadme({ params: { ns } }, { signal }),
  })

export function useSetReadme(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['setNamespaceReadme']['args']['body']) =>
      api.setNamespaceReadme({ params: { ns }, body }),
    onSuccess: (readme) => cache.setQueryData(readmeQuery(ns).queryKey, readme),
  })
}

export const pinsQuery = (ns: string) =>
  queryOptions({
    queryKey: ['namespace', ns, 'pinned'],
    queryFn: ({ signal }) => api.listPinnedRepos({ params: { ns } }, { signal }),
  })

export function useSetPins(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (repos: Operations['setPinnedRepos']['args']['body']['repos']) =>
      api.setPinnedRepos({ params: { ns }, body: { repos } }),
    onSuccess: (pinned) => cache.setQueryData(pinsQuery(ns).queryKey, pinned),
  })
}

/** Repos of a namespace by words, to choose from. */
export const ownedQuery = (ns: string, words: string) =>
  queryOptions({
    queryKey: ['repos', 'owned', ns, words],
    queryFn: ({ signal }) =>
      api.listRepos({ query: { ns, ...(words && { q: words }), sort: 'updated', limit: 20 } }, { signal }),
  })

export const membersQuery = (ns: string) =>
  pagedQuery(['namespace', ns, 'members'], (at, signal) =>
    api.listMembers({ params: { ns }, query: at }, { signal }),
  )

export const followsQuery = (ns: string, list: 'followers' | 'following') =>
  pagedQuery(['namespace', ns, list], (at, signal) =>
    list === 'followers'
      ? api.listFollowers({ params: { ns }, query: at }, { signal })
      : api.listFollowing({ params: { user: ns }, query: at }, { signal }),
  )

export function useFollow(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (followed: boolean) =>
      followed ? api.followNamespace({ params: { ns } }) : api.unfollowNamespace({ params: { ns } }),
    onSuccess: ({ followed, followers }) => {
      cache.setQueryData(
        namespaceQuery(ns).queryKey,
        (was) => was && { ...was, followed, counts: { ...was.counts, followers } },
      )
      return cache.invalidateQueries({ queryKey: followsQuery(ns, 'followers').queryKey })
    },
  })
}

export const activityQuery = (user: string) =>
  pagedQuery(['namespace', user, 'activity'], (at, signal) =>
    api.listUserActivity({ params: { user }, query: { ...at, limit: 10 } }, { signal }),
  )

export const activityDaysQuery = (user: string) =>
  queryOptions({
    queryKey: ['namespace', user, 'activity-days'],
    queryFn: ({ signal }) => api.getUserActivityDays({ params: { user } }, { signal }),
  })

export function useCreateOrg() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: OrgCreate) => api.createOrg({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
}

export function useUpdateOrg(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: OrgUpdate) => api.updateOrg({ params: { ns }, body }),
    onSuccess: (namespace) => cache.setQueryData(namespaceQuery(ns).queryKey, namespace),
  })
}

export function useDeleteOrg(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.deleteOrg({ params: { ns } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
}

export function useSetMember(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ user, role }: { user: string; role: Role }) =>
      api.setMember({ params: { ns, user }, body: { role } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['namespace', ns] }),
  })
}

export function useRemoveMember(ns: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (user: string) => api.removeMember({ params: { ns, user } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['namespace', ns] }),
  })
}
