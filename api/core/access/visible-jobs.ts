import { and, eq, exists, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Reads, Tables } from '../../stores/db/index.ts'
import type { Actor } from './actor.ts'
import { insideFence } from './visible.ts'

/**
 * The jobs this caller may see, cancel and retry: their own, those of repos they administer; all of them for instance
 * admins (native-api.md §3). The query must left-join `repos` on the job's and `namespaces` on its owner.
 */
export function visibleJobs(actor: Actor, { q, t }: { q: Reads; t: Tables }): SQL {
  if (actor.kind === 'system') return sql`1 = 1`
  if (actor.kind === 'anonymous') return sql`1 = 0`
  const inside = insideFence(actor, t)
  if (actor.isAdmin) return inside
  const { repos, collaborators, jobs } = t
  const administered = [...actor.roles].filter(([, role]) => role === 'admin').map(([id]) => id)
  const administersIt = exists(
    q
      .select({ one: sql`1` })
      .from(collaborators)
      .where(
        and(
          eq(collaborators.repo_id, repos.id),
          eq(collaborators.user_id, actor.id),
          eq(collaborators.role, 'admin'),
        ),
      ),
  )
  const theirs = or(eq(jobs.created_by, actor.id), inArray(repos.namespace_id, administered), administersIt)
  return and(inside, theirs) ?? sql`1 = 0`
}
