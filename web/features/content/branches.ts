import { useQuery } from '@tanstack/react-query'
import { hasRole, useRepo } from '../../lib/repo-context.ts'
import { refsQuery } from './queries.ts'

/** Whether the viewer may commit to `rev`: it must be a branch, or the first one of an empty Repo. */
export function useCanCommit(rev: string): boolean {
  const { repo, address } = useRepo()
  const refs = useQuery(refsQuery(address)).data
  if (!hasRole(repo, 'write') || repo.deleted_at) return false
  if (repo.head_commit === undefined) return rev === repo.default_branch
  return refs?.branches.some((branch) => branch.name === rev) ?? false
}
