import {
  queryOptions,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type Query,
} from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import type { AccessRequestStatus } from '../../../shared/vocabulary.ts'
import { api } from '../../lib/api.ts'
import { askAgainMs, maxAsks } from '../../lib/ask-again.ts'
import { formatLongDuration } from '../../lib/format.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'

export type RepoList = Operations['listRepos']['result']
export type RepoFilter = NonNullable<Operations['listRepos']['args']['query']>
type RepoUpdate = Operations['updateRepo']['args']['body']
export type Collaborators = Operations['setCollaborators']['args']['body']

const keyOf = ({ type, ns, name }: RepoAddress) => [type, ns, name] as const

export const reposQuery = (filter: RepoFilter) =>
  pagedQuery(['repos', filter], (at, signal) => api.listRepos({ query: { ...filter, ...at } }, { signal }))

/** A repo; asked for again until its files are read, since formats, parameters and rows are known only then. */
export const repoQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: ['repo', ...keyOf(address)],
    queryFn: ({ signal }) => api.getRepo({ params: address }, { signal }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.head_commit && data.index_status === 'pending' && dataUpdateCount < maxAsks ? askAgainMs : false,
  })

export const collaboratorsQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: ['repo', ...keyOf(address), 'collaborators'],
    queryFn: ({ signal }) => api.getCollaborators({ params: address }, { signal }),
  })

export type BranchRule = Operations['createBranchRule']['result']

export const branchRulesQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: ['repo', ...keyOf(address), 'branch-rules'],
    queryFn: ({ signal }) => api.listBranchRules({ params: address }, { signal }),
  })

/** A change of the rules; lists of branches say what follows from them. */
function useRuleChange<V, D>(address: RepoAddress, mutationFn: (input: V) => Promise<D>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: branchRulesQuery(address).queryKey }),
        cache.invalidateQueries({ queryKey: refsQuery(address).queryKey }),
      ]),
  })
}

export const useCreateBranchRule = (address: RepoAddress) =>
  useRuleChange(address, (body: Operations['createBranchRule']['args']['body']) =>
    api.createBranchRule({ params: address, body }),
  )
export const useUpdateBranchRule = (address: RepoAddress) =>
  useRuleChange(
    address,
    ({ id, body }: { id: string; body: Operations['updateBranchRule']['args']['body'] }) =>
      api.updateBranchRule({ params: { ...address, id }, body }),
  )
export const useDeleteBranchRule = (address: RepoAddress) =>
  useRuleChange(address, (id: string) => api.deleteBranchRule({ params: { ...address, id } }))

export const accessRequestsQuery = (address: RepoAddress, status: AccessRequestStatus) =>
  pagedQuery(['repo', ...keyOf(address), 'access', status], (at, signal) =>
    api.listAccessRequests({ params: address, query: { status, ...at } }, { signal }),
  )

export const likersQuery = (address: RepoAddress) =>
  pagedQuery(['repo', ...keyOf(address), 'likers'], (at, signal) =>
    api.listLikers({ params: address, query: at }, { signal }),
  )

export function useCreateRepo() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['createRepo']['args']['body']) => api.createRepo({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['repos'] }),
  })
}

/** A change of a repo that answers the repo: the page shows it at once, lists are asked again. */
function useRepoChange<T>(address: RepoAddress, mutationFn: (input: T) => Promise<Repo>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (repo) => {
      cache.setQueryData(repoQuery(address).queryKey, repo)
      return cache.invalidateQueries({ queryKey: ['repos'] })
    },
  })
}

export const useUpdateRepo = (address: RepoAddress) =>
  useRepoChange(address, (body: RepoUpdate) => api.updateRepo({ params: address, body }))
export const useRestoreRepo = (address: RepoAddress) =>
  useRepoChange(address, () => api.restoreRepo({ params: address }))

/** Repos that the person can restore, the last deleted first. */
export const deletedReposQuery = pagedQuery(['repos', 'deleted'], (at, signal) =>
  api.listDeletedRepos({ query: at }, { signal }),
)

/** How long a deleted repo can be restored, for the middle of a sentence. */
export function useRestoreWindow(): string {
  const { data } = useInfiniteQuery(deletedReposQuery)
  const seconds = data?.pages[0]?.restore_window_seconds
  return seconds === undefined ? 'until the restore window ends' : `for ${formatLongDuration(seconds)}`
}

/** What others may read of it changes too, so all of it is asked again. */
export function useDisableRepo(id: string, address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['updateRepoAsAdmin']['args']['body']) =>
      api.updateRepoAsAdmin({ params: { id }, body }),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: repoQuery(address).queryKey }),
        cache.invalidateQueries({ queryKey: ['repos'] }),
      ]),
  })
}

/** Rename and transfer leave the old address's cache alone: the page moves to the new address. */
export function useMoveRepo(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (to: { name: string } | { ns: string }) =>
      'name' in to
        ? api.renameRepo({ params: address, body: to })
        : api.transferRepo({ params: address, body: to }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['repos'] }),
  })
}

export function useDeleteRepo(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.deleteRepo({ params: address }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['repos'] }),
  })
}

export function usePurgeUnreachable(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.purgeUnreachable({ params: address }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

export function useLike(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (liked: boolean) =>
      liked ? api.unlikeRepo({ params: address }) : api.likeRepo({ params: address }),
    onSuccess: (status) => {
      const key = keyOf(address).join()
      const changed = (repo: Repo) =>
        keyOf({ ...repo, type: `${repo.type}s` }).join() === key ? { ...repo, ...status } : repo
      cache.setQueryData(repoQuery(address).queryKey, (repo) => (repo ? { ...repo, ...status } : repo))
      // Of those queries, what lists have by a filter. They are not read again, so that no row moves.
      const lists = {
        queryKey: ['repos'],
        predicate: ({ queryKey }: Query) => typeof queryKey[1] === 'object',
      }
      cache.setQueriesData<InfiniteData<RepoList>>(
        lists,
        (list) =>
          list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(changed) })) },
      )
      return cache.invalidateQueries({ queryKey: likersQuery(address).queryKey })
    },
  })
}

export function useSetCollaborators(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Collaborators) => api.setCollaborators({ params: address, body }),
    onSuccess: (list) => cache.setQueryData(collaboratorsQuery(address).queryKey, list),
  })
}

export function useRequestAccess(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Operations['createAccessRequest']['args']['body']) =>
      api.createAccessRequest({ params: address, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: repoQuery(address).queryKey }),
  })
}

export function useDecideAccess(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; status: 'accepted' | 'rejected'; reason?: string }) =>
      api.decideAccessRequest({ params: { ...address, id }, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['repo', ...keyOf(address), 'access'] }),
  })
}
