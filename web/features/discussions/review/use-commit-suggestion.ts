import { useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../../shared/client.ts'
import { api } from '../../../lib/api.ts'
import { useMutation } from '../../../lib/mutation.ts'
import { keyOf } from '../../../lib/repo-queries.ts'
import type { RepoAddress } from '../../../lib/types.ts'

interface Wanted {
  id: string
  body: Operations['commitSuggestion']['args']['body']
}

/** The pull request's ref moves with it, so everything read of the repo is asked again. */
export function useCommitSuggestion(address: RepoAddress, num: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: Wanted) => api.commitSuggestion({ params: { ...address, num, id }, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyOf(address) }),
  })
}
