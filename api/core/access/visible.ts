import { and, eq, exists, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Reads, Tables } from '../../stores/db/index.ts'
import { hasScope, type Actor, type UserActor } from './actor.ts'
import type { Policy } from './can.ts'

const nothing = sql`1 = 0`
const everything = sql`1 = 1`

/**
 * The repos of a list that this caller may see: the SQL twin of `roleOn` for repos that are not deleted. The query
 * must select from or join `repos`, and `namespaces` on its owner.
 */
export function visibleRepos(actor: Actor, { q, t }: { q: Reads; t: Tables }, policy: Policy): SQL {
  const { repos } = t
  const live = isNull(repos.deleted_at)
  const isPublic = eq(repos.visibility, 'public')
  if (actor.kind === 'system') return live
  if (actor.kind === 'anonymous') return and(live, policy.anonymousRead ? isPublic : nothing) ?? nothing
  const held = actor.isAdmin ? everything : heldRepos(actor.id, actor.roles, { q, t })
  const inside = insideFence(actor, t)
  const publicToThem = policy.anonymousRead ? isPublic : and(isPublic, inside)
  return and(live, or(publicToThem, and(held, inside))) ?? nothing
}

/**
 * Of the visible repos those whose files this caller may read: the SQL twin of `repo.files`. Same joins as
 * `visibleRepos`.
 */
export function readableRepos(actor: Actor, tx: { q: Reads; t: Tables }, policy: Policy): SQL {
  const withCard = reposWithCard(actor, tx, policy)
  if (actor.kind === 'system') return withCard
  const open = isNull(tx.t.repos.gated)
  if (actor.kind === 'anonymous') return and(withCard, open) ?? nothing
  const admitted = actor.isAdmin ? everything : or(writableRepos(actor, tx), acceptedRepos(actor.id, tx))
  return and(withCard, or(open, and(admitted, insideFence(actor, tx.t)))) ?? nothing
}

/**
 * Of the visible repos those whose card this caller may read, which a gated repo shows as well: the SQL twin of
 * `repo.card`. Same joins as `visibleRepos`.
 */
export function reposWithCard(actor: Actor, tx: { q: Reads; t: Tables }, policy: Policy): SQL {
  const visible = visibleRepos(actor, tx, policy)
  const enabled = isNull(tx.t.repos.disabled_at)
  if (actor.kind === 'system') return visible
  if (actor.kind === 'user' && !hasScope(actor, 'read')) return nothing
  const given = actor.kind === 'user' && actor.isAdmin ? or(enabled, insideFence(actor, tx.t)) : enabled
  return and(visible, given) ?? nothing
}

function writableRepos({ id, roles }: UserActor, { q, t }: { q: Reads; t: Tables }): SQL | undefined {
  const { repos, collaborators } = t
  const spaces = [...roles].flatMap(([ns, role]) => (role === 'read' ? [] : [ns]))
  const collaborates = exists(
    q
      .select({ one: sql`1` })
      .from(collaborators)
      .where(
        and(
          eq(collaborators.repo_id, repos.id),
          eq(collaborators.user_id, id),
          inArray(collaborators.role, ['write', 'admin']),
        ),
      ),
  )
  return or(inArray(repos.namespace_id, spaces), collaborates)
}

function acceptedRepos(userId: string, { q, t }: { q: Reads; t: Tables }): SQL {
  const { repos, access_requests } = t
  return exists(
    q
      .select({ one: sql`1` })
      .from(access_requests)
      .where(
        and(
          eq(access_requests.repo_id, repos.id),
          eq(access_requests.user_id, userId),
          eq(access_requests.status, 'accepted'),
        ),
      ),
  )
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

/** What a fenced token is confined to, for queries with `repos` and `namespaces`. */
export function insideFence(actor: Extract<Actor, { kind: 'user' }>, { repos, namespaces }: Tables): SQL {
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
