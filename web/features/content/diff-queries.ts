import { queryOptions } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { diffsAtOnce, keyOf } from '../../lib/repo-queries.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { keptWhileAsked, whiteSpaceOption } from '../../ui/diff/white-space.ts'
import type { Revisions } from './queries.ts'

/** A commit, and how its lines are compared. */
export interface CommitAt {
  sha: string
  ignoresWhiteSpace: boolean
}

export const commitQuery = (address: RepoAddress, at: CommitAt) => {
  const { sha, ignoresWhiteSpace } = at
  const queryKey = [...keyOf(address), 'commit', sha, ignoresWhiteSpace] as const
  return queryOptions({
    queryKey,
    staleTime: Infinity,
    queryFn: async ({ signal, client }) => {
      const query = whiteSpaceOption(ignoresWhiteSpace)
      const commit = await api.getCommit({ params: { ...address, sha }, query }, { signal })
      const first = commit.files.slice(0, diffsAtOnce)
      const whole = { ...at, sha: commit.sha }
      await Promise.all(first.map(({ path }) => client.prefetchQuery(diffQuery(address, whole, path))))
      return commit
    },
    placeholderData: keptWhileAsked(queryKey),
  })
}

export const diffQuery = (address: RepoAddress, { sha, ignoresWhiteSpace }: CommitAt, path: string) => {
  const queryKey = [...keyOf(address), 'diff', sha, path, ignoresWhiteSpace] as const
  return queryOptions({
    queryKey,
    staleTime: Infinity,
    queryFn: ({ signal }) => {
      const query = { path, ...whiteSpaceOption(ignoresWhiteSpace) }
      return api.getCommitDiff({ params: { ...address, sha }, query }, { signal })
    },
    placeholderData: keptWhileAsked(queryKey),
  })
}

export type Comparison = Operations['compareRevisions']['result']

/** The files that differ between two revisions. */
export const comparisonQuery = (address: RepoAddress, asked: Revisions, ignoresWhiteSpace = false) => {
  const queryKey = [...keyOf(address), 'comparison', asked, ignoresWhiteSpace] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const query = { ...asked, ...whiteSpaceOption(ignoresWhiteSpace) }
      const compared = await api.compareRevisions({ params: address, query }, { signal })
      const at = { base: compared.base_commit, head: compared.head_commit, ignoresWhiteSpace }
      const first = compared.files.slice(0, diffsAtOnce)
      await Promise.all(first.map(({ path }) => client.prefetchQuery(comparisonDiffQuery(address, at, path))))
      return compared
    },
    placeholderData: keptWhileAsked(queryKey),
  })
}

/** Two commits, and how they are compared. */
export interface ComparedAt extends Revisions {
  ignoresWhiteSpace: boolean
}

/** How one file differs between two commits. */
export const comparisonDiffQuery = (address: RepoAddress, at: ComparedAt, path: string) => {
  const { ignoresWhiteSpace, ...commits } = at
  const queryKey = [...keyOf(address), 'comparison-diff', commits, path, ignoresWhiteSpace] as const
  return queryOptions({
    queryKey,
    staleTime: Infinity,
    queryFn: ({ signal }) => {
      const query = { ...commits, path, ...whiteSpaceOption(ignoresWhiteSpace) }
      return api.getComparisonDiff({ params: address, query }, { signal })
    },
    placeholderData: keptWhileAsked(queryKey),
  })
}
