import { eq } from 'drizzle-orm'
import type { RepoType } from '../../../shared/vocabulary.ts'
import type { Reads, Tables } from '../../stores/db/index.ts'
import type { Actor, UserActor } from './actor.ts'
import type { Policy } from './can.ts'

/** What decides of a repo that is not deleted whether it is shown. */
export interface ListedRepo {
  id: string
  type: RepoType
  namespaceId: string
  isPublic: boolean
  /** Lower-cased `ns/name`. */
  key: string
}

/** As `visibleRepos`, of repos in memory. */
export async function visibleRows(
  actor: Actor,
  { q, t }: { q: Reads; t: Tables },
  policy: Policy,
): Promise<(repo: ListedRepo) => boolean> {
  if (actor.kind === 'system') return () => true
  if (actor.kind === 'anonymous') return policy.anonymousRead ? ({ isPublic }) => isPublic : () => false
  const isInside = fenceOf(actor)
  const { roles, isAdmin } = actor
  const rows = isAdmin
    ? []
    : await q
        .select({ id: t.collaborators.repo_id })
        .from(t.collaborators)
        .where(eq(t.collaborators.user_id, actor.id))
  const shared = new Set(rows.map(({ id }) => id))
  return (repo) => {
    if (repo.isPublic && policy.anonymousRead) return true
    const isShown = repo.isPublic || isAdmin || roles.has(repo.namespaceId) || shared.has(repo.id)
    return isShown && isInside(repo)
  }
}

function fenceOf({ auth }: UserActor): (repo: ListedRepo) => boolean {
  if (auth.kind !== 'token' || !auth.fence) return () => true
  const { repos = [], namespaces = [] } = auth.fence
  const named = new Set(repos.map(({ type, ns, name }) => `${type} ${ns}/${name}`.toLowerCase()))
  const spaces = new Set(namespaces.map((name) => name.toLowerCase()))
  return ({ type, key }) => spaces.has(key.slice(0, key.indexOf('/'))) || named.has(`${type} ${key}`)
}
