import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { operationUrl, type Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { lookQuery, type Look } from '../../../lib/look.ts'
import { useMutation } from '../../../lib/mutation.ts'
import { putPicture } from '../../../lib/pictures.ts'

export type LookUpdate = Operations['updateLook']['args']['body']

/** The look as it is set, with an announcement that has ended. */
export const setLookQuery = queryOptions({
  queryKey: ['admin', 'look'],
  queryFn: ({ signal }) => api.getAdminLook({}, { signal }),
})

/** This page shows at once what was saved, in its header too. */
async function showLook(cache: QueryClient, look: Look): Promise<void> {
  cache.setQueryData(setLookQuery.queryKey, look)
  await cache.invalidateQueries({ queryKey: lookQuery.queryKey })
}

export function useUpdateLook() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: LookUpdate) => api.updateLook({ body }),
    onSuccess: (look) => showLook(cache, look),
  })
}

export function useSetLogo() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (file: File) => putPicture<Look>(operationUrl('setLogo', {}), file),
    onSuccess: (look) => showLook(cache, look),
  })
}

export function useRemoveLogo() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (): Promise<Look> => {
      await api.removeLogo({})
      return api.getAdminLook({})
    },
    onSuccess: (look) => showLook(cache, look),
  })
}
