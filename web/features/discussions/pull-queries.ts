import { queryOptions } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { diffsAtOnce, keyOf } from '../../lib/repo-queries.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { keptWhileAsked, whiteSpaceOption } from '../../ui/diff/white-space.ts'

export type PullRequestFiles = Operations['getPullRequestFiles']['result']

interface PullAt {
  num: number
  /** The one that the page was opened with. */
  head: string
  ignoresWhiteSpace: boolean
}

/** The files at the newest head. Asked again by changes of one's own alone: what one reads does not change by itself. */
export const pullFilesQuery = (address: RepoAddress, { num, head, ignoresWhiteSpace }: PullAt) => {
  const queryKey = [...keyOf(address), 'pull-files', num, head, ignoresWhiteSpace] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const query = whiteSpaceOption(ignoresWhiteSpace)
      const compared = await api.getPullRequestFiles({ params: { ...address, num }, query }, { signal })
      const first = compared.files.slice(0, diffsAtOnce)
      await Promise.all(
        first.map(({ path }) =>
          client.prefetchQuery(pullDiffQuery(address, { num, path, compared, ignoresWhiteSpace })),
        ),
      )
      return compared
    },
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keptWhileAsked(queryKey),
  })
}

interface PullDiffAt {
  num: number
  path: string
  compared: PullRequestFiles
  ignoresWhiteSpace: boolean
}

export const pullDiffQuery = (
  address: RepoAddress,
  { num, path, compared: { base_commit: base, head_commit: head }, ignoresWhiteSpace }: PullDiffAt,
) => {
  const queryKey = [...keyOf(address), 'discussion-diff', num, base, head, path, ignoresWhiteSpace] as const
  return queryOptions({
    queryKey,
    staleTime: Infinity,
    queryFn: ({ signal }) => {
      const query = { path, ...whiteSpaceOption(ignoresWhiteSpace) }
      return api.getDiscussionDiff({ params: { ...address, num }, query }, { signal })
    },
    placeholderData: keptWhileAsked(queryKey),
  })
}
