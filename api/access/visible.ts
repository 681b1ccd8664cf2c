import { and, eq, exists, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Reads, Tables } from '../db/index.ts'
import { hasScope, type Actor } from './actor.ts'
import type { Policy } from './can.ts'

const nothing = sql`1 = 0`
const everything = sql`1 = 1`

/**
 * The Repos of a list that this caller may see: the SQL twin of `roleOn` for Repos that are not deleted. The query
 * must select from or join `repos`, and `namespaces` on its owner.
 */
export function visibleRepos(actor: Actor, { q, t }: { q: Reads; t: Tables }, policy: Policy): SQL {
  const { repos } = t
  const live = isNull(repos.deleted_at)
  const isPublic = eq(repos.visibility, 'public')
  if (actor.kind === 'system') return live
  if (actor.kind === 'anonymous') return and(live, policy.anonymousRead ? isPublic : nothing) ?? nothing
  const held =
    actor.isAdmin && hasScope(actor, 'admin') ? everything : heldRepos(actor.id, actor.roles, { q, t })
  const inside = insideFence(actor, t)
  const publicToThem = policy.anonymousRead ? isPublic : and(isPublic, inside)
  return and(live, or(publicToThem, and(held, inside))) ?? nothing
}

function heldRepos(
  userId: string,
  roles: ReadonlyMap<string, unknown>,
  { q, t }: { q: Reads; t: Tables },
): SQL {
  const { repos, collaborators } = t
  const collaborates = exists(
    q
      .select({ one: sql`1` })
      .from(collaborators)
      .where(and(eq(collaborators.repo_id, repos.id), eq(collaborators.user_id, userId))),
  )
  return or(inArray(repos.namespace_id, [...roles.keys()]), collaborates) ?? nothing
}

function insideFence(actor: Extract<Actor, { kind: 'user' }>, { repos, namespaces }: Tables): SQL {
  if (actor.auth.kind !== 'token' || !actor.auth.fence) return everything
  const { repos: fencedRepos = [], namespaces: fencedSpaces = [] } = actor.auth.fence
  const inSpace = inArray(
    namespaces.name_key,
    fencedSpaces.map((name) => name.toLowerCase()),
  )
  const named = fencedRepos.map((repo) =>
    and(
      eq(repos.type, repo.type),
      eq(namespaces.name_key, repo.ns.toLowerCase()),
      eq(sql`lower(${repos.name})`, repo.name.toLowerCase()),
    ),
  )
  return or(fencedSpaces.length > 0 ? inSpace : nothing, ...named) ?? nothing
}
