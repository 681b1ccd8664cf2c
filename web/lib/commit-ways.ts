import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pages } from './pages.ts'
import { hasRole, isMirror, mayReadFiles, useRepo } from './repo-context.ts'
import { discussionQuery, refsQuery } from './repo-queries.ts'
import { useMe } from './session.ts'
import type { Repo } from './types.ts'

/** How a commit can go to a revision: into it, or as a new pull request onto it. */
export type CommitWay = 'direct' | 'pull_request'

/** The number of the pull request that a revision is the ref of. */
export function pullNumberOf(rev: string): number | undefined {
  const digits = /^refs\/pr\/([1-9]\d{0,8})$/.exec(rev)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** What decides how commits can go to a revision, besides the repo. */
function useRevFacts(rev: string) {
  const { address } = useRepo()
  const me = useMe()
  const num = pullNumberOf(rev)
  const refs = useQuery(refsQuery(address))
  const pull = useQuery({ ...discussionQuery(address, num ?? 0), enabled: Boolean(me) && num !== undefined })
  return { me, num, refs, pull }
}

/** Whether it is known which ways are open. */
export function useAreWaysKnown(rev: string): boolean {
  const { me, refs, pull } = useRevFacts(rev)
  return me !== undefined && !refs.isPending && !pull.isLoading
}

/** The ways that are open to the viewer, the plainest first; none where nothing can be committed, or while that is not known. */
export function useCommitWays(rev: string): CommitWay[] {
  const { repo } = useRepo()
  const facts = useRevFacts(rev)
  const { me, num } = facts
  const [refs, pull] = [facts.refs.data, facts.pull.data]
  const canWrite = hasRole(repo, 'write')
  if (!me || isMirror(repo) || repo.deleted_at || (repo.disabled && !me.is_admin)) return []
  if (num !== undefined) {
    const mayCommit = canWrite || pull?.author?.username === me.username
    return pull?.status === 'open' && mayCommit ? ['direct'] : []
  }
  if (repo.head_commit === undefined) return canWrite && rev === repo.default_branch ? ['direct'] : []
  const branch = refs?.branches.find(({ name }) => name === rev)
  if (!branch) return []
  const ways: CommitWay[] = canWrite && !branch.pull_request_only ? ['direct'] : []
  // A gated repo takes pull requests only from those who may read its files.
  return repo.discussions_enabled && mayReadFiles(repo) ? [...ways, 'pull_request'] : ways
}

export interface CommitChoice {
  ways: CommitWay[]
  /** The chosen one; `undefined` where there is none. */
  way: CommitWay | undefined
  choose: (way: CommitWay) => void
  /** Whether the pull request that it opens is a draft. */
  isDraft: boolean
  setDraft: (isDraft: boolean) => void
}

/** The ways to commit to a revision, and which of them is chosen. */
export function useCommitChoice(rev: string): CommitChoice {
  const ways = useCommitWays(rev)
  const [chosen, choose] = useState<CommitWay>()
  const [isDraft, setDraft] = useState(false)
  return { ways, way: chosen && ways.includes(chosen) ? chosen : ways[0], choose, isDraft, setDraft }
}

/** What a commit request says besides its operations, for it to go as was chosen. */
export const targetOf = (rev: string, { way, isDraft }: Pick<CommitChoice, 'way' | 'isDraft'>) => ({
  branch: rev,
  ...(way === 'pull_request' ? { create_pull_request: true, draft: isDraft } : {}),
})

/** The page that shows what a commit led to: its pull request, where it opened or continued one, else `page`. */
export function pageAfter(repo: Repo, rev: string, opened: number | undefined, page: string): string {
  const num = opened ?? pullNumberOf(rev)
  return num === undefined ? page : pages.discussion(repo, num)
}
