import { createContext, useContext } from 'react'
import { useLocation } from 'react-router'
import { segmentsBelowRepo } from './pages.ts'
import type { Repo, RepoAddress } from './types.ts'

/** The repo whose page this is: features below it read it here and need not know who loaded it. */
export const RepoContext = createContext<{ repo: Repo; address: RepoAddress } | null>(null)

export function useRepo(): { repo: Repo; address: RepoAddress } {
  const value = useContext(RepoContext)
  if (!value) throw new Error('useRepo needs a repo page above it')
  return value
}

/** The revision and path that the address names; the default branch and the root where it names none. */
export function useRevPath(): { rev: string; path: string } {
  const { repo } = useRepo()
  const [, rev, ...path] = segmentsBelowRepo(useLocation().pathname)
  return { rev: rev ?? repo.default_branch, path: path.join('/') }
}

/** Whether it follows a repo of another hub, from which alone its content changes. */
export const isMirror = ({ mirror }: Pick<Repo, 'mirror'>): boolean =>
  mirror !== undefined && mirror.state !== 'detached'

const rank = { read: 1, write: 2, admin: 3 }

/** Whether the viewer's role on a repo or namespace reaches `least`. */
export function hasRole(
  holder: { my_role?: 'read' | 'write' | 'admin' },
  least: 'read' | 'write' | 'admin',
): boolean {
  return holder.my_role !== undefined && rank[holder.my_role] >= rank[least]
}

/** Whether the viewer may read its files: those of a gated repo must be asked for. */
export const mayReadFiles = (repo: Repo): boolean =>
  repo.gated === false || hasRole(repo, 'write') || repo.access === 'accepted'
