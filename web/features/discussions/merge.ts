import { useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { keyOf } from '../../lib/repo-queries.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { unlessRefused } from './queries.ts'

type MergeRequest = NonNullable<Operations['mergePullRequest']['args']['body']>

/** The base moves with it, so everything read of the repo is asked again. */
export function useMerge(address: RepoAddress, num: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: MergeRequest) => api.mergePullRequest({ params: { ...address, num }, body }),
    onSettled: (_done, error) => unlessRefused(error, cache.invalidateQueries({ queryKey: keyOf(address) })),
  })
}
