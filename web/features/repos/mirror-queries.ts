import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import type { RepoAddress } from '../../lib/types.ts'

export type Mirror = Operations['getMirror']['result']
type MirrorUpdate = Operations['updateMirror']['args']['body']

const activeMs = 2500

const isMoving = ({ state }: Mirror) => state === 'queued' || state === 'syncing'

/** The mirror that a repo is; asked often while it syncs. */
export const mirrorQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: ['repo', address.type, address.ns, address.name, 'mirror'],
    queryFn: ({ signal }) => api.getMirror({ params: address }, { signal }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? activeMs : false),
  })

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
