import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import type { Job, RepoAddress } from '../../lib/types.ts'

export type Mirror = Operations['getMirror']['result']
export type MirrorUpdate = Operations['updateMirror']['args']['body']
export type PullCreate = Operations['createPull']['args']['body']

const activeMs = 2500

export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams'],
  queryFn: ({ signal }) => api.listUpstreams({}, { signal }),
})

const isMoving = ({ state }: Mirror) => state === 'queued' || state === 'syncing'

/** The mirror that a repo is; asked often while it syncs. */
export const mirrorQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: ['repo', address.type, address.ns, address.name, 'mirror'],
    queryFn: ({ signal }) => api.getMirror({ params: address }, { signal }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? activeMs : false),
  })

/** A pull with its files; asked often while it runs, and once more when it has ended. */
export const pullQuery = ({ id, status }: Job, isRunning: boolean) =>
  queryOptions({
    queryKey: ['jobs', 'pull', id, status],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.getPull({ params: { id } }, { signal }),
    refetchInterval: isRunning ? activeMs : false,
  })

export function useCreatePull() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: PullCreate) => api.createPull({ body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

function useMirrorChange<T, R>(address: RepoAddress, mutationFn: (input: T) => Promise<R>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['repo', address.type, address.ns, address.name] }),
        cache.invalidateQueries({ queryKey: ['jobs'] }),
      ]),
  })
}

export const useUpdateMirror = (address: RepoAddress) =>
  useMirrorChange(address, (body: MirrorUpdate) => api.updateMirror({ params: address, body }))
export const useSyncMirror = (address: RepoAddress) =>
  useMirrorChange(address, () => api.syncMirror({ params: address }))
export const useDetachMirror = (address: RepoAddress) =>
  useMirrorChange(address, () => api.detachMirror({ params: address }))
export const usePullInto = (address: RepoAddress) =>
  useMirrorChange(address, (path: string) =>
    api.pullIntoMirror({ params: address, body: { include: [globOf(path)] } }),
  )

/** A glob that matches one path alone. */
const globOf = (path: string) => path.replace(/[*?[]/g, '[$&]')
