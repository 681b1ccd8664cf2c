import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Tables } from '../../stores/db/index.ts'
import type { Actor } from './actor.ts'
import type { Policy } from './can.ts'

const nothing = sql`1 = 0`
const everything = sql`1 = 1`

/**
 * The collections this caller may see: public ones where the public may read, private ones for members of their
 * namespace and instance admins. A fenced token is inside only where its fence names the namespace. The query must
 * select from or join `collections`, and `namespaces` on its owner.
 */
export function visibleCollections(
  actor: Actor,
  { collections, namespaces }: Tables,
  { anonymousRead }: Policy,
): SQL {
  if (actor.kind === 'system') return everything
  const isPublic = eq(collections.visibility, 'public')
  if (actor.kind === 'anonymous') return anonymousRead ? isPublic : nothing
  const fence = actor.auth.kind === 'token' ? actor.auth.fence : null
  const named = (fence?.namespaces ?? []).map((ns) => ns.toLowerCase())
  const inside = fence ? inArray(namespaces.name_key, named) : everything
  const held = actor.isAdmin ? everything : inArray(collections.namespace_id, [...actor.roles.keys()])
  return or(anonymousRead ? isPublic : and(isPublic, inside), and(held, inside)) ?? nothing
}
