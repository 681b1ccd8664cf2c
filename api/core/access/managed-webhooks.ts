import { and, eq, exists, inArray, not, or, sql, type SQL } from 'drizzle-orm'
import type { Reads, Tables } from '../../stores/db/index.ts'
import type { UserActor } from './actor.ts'

/**
 * The webhooks a person may manage: their own, and those that watch nothing but namespaces and repos they administer.
 * Managers of a webhook read its deliveries, so one foreign repo among the watched ones keeps other managers away. The query
 * must select from `webhooks`.
 */
export function managedWebhooks(
  actor: Pick<UserActor, 'id' | 'roles'>,
  { q, t }: { q: Reads; t: Tables },
): SQL | undefined {
  const { webhooks, webhook_watches: w, repos, collaborators } = t
  const administered = [...actor.roles].filter(([, role]) => role === 'admin').map(([id]) => id)
  const owned = q.select({ id: repos.id }).from(repos).where(inArray(repos.namespace_id, administered))
  const shared = q
    .select({ id: collaborators.repo_id })
    .from(collaborators)
    .where(and(eq(collaborators.user_id, actor.id), eq(collaborators.role, 'admin')))
  const isAdministered = or(
    inArray(w.namespace_id, administered),
    inArray(w.repo_id, owned),
    inArray(w.repo_id, shared),
  )
  const watches = q
    .select({ one: sql`1` })
    .from(w)
    .where(eq(w.webhook_id, webhooks.id))
  // Of the two columns one is NULL, and so would be the answer about it.
  const foreign = q
    .select({ one: sql`1` })
    .from(w)
    .where(and(eq(w.webhook_id, webhooks.id), sql`(${isAdministered}) is not true`))
  return or(eq(webhooks.user_id, actor.id), and(exists(watches), not(exists(foreign))))
}
