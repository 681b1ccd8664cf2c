import { useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { discussionQuery } from '../../lib/repo-queries.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { listsKey } from './queries.ts'

type DiscussionCreate = Operations['createDiscussion']['args']['body']

export function useOpenDiscussion(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: DiscussionCreate) => api.createDiscussion({ params: address, body }),
    onSuccess: (made) => {
      cache.setQueryData(discussionQuery(address, made.num).queryKey, made)
      return cache.invalidateQueries({ queryKey: listsKey(address) })
    },
  })
}
