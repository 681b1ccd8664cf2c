import { inArray, sql, type SQL } from 'drizzle-orm'
import type { Tables } from '../../stores/db/index.ts'
import { hasScope, type Actor } from './actor.ts'
import type { Policy } from './can.ts'

/** The namespaces of a list whose profile this caller may see: the SQL twin of `decideProfile`. */
export function visibleNamespaces(actor: Actor, { namespaces }: Tables, policy: Policy): SQL {
  if (actor.kind === 'system' || policy.anonymousRead) return sql`1 = 1`
  if (actor.kind === 'anonymous' || !hasScope(actor, 'read')) return sql`1 = 0`
  if (actor.auth.kind !== 'token' || !actor.auth.fence) return sql`1 = 1`
  const { repos = [], namespaces: spaces = [] } = actor.auth.fence
  const named = [...spaces, ...repos.map((repo) => repo.ns)].map((ns) => ns.toLowerCase())
  return inArray(namespaces.name_key, named)
}
