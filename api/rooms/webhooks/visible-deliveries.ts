import { can, policyOf, requireUser } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Subject } from '../../core/events/index.ts'
import { findReposById } from '../repos/index.ts'
import type { DeliveryRow, Reader, WebhookRow } from './queries.ts'

/**
 * Of a webhook's deliveries those the caller may know: what it watches may have changed since they were made, so that of
 * those who did not make it each is shown only what is about repos they administer now.
 */
export async function visibleDeliveries(
  { actor, config }: Pick<Ctx, 'actor' | 'config'>,
  reader: Reader,
  { user_id }: Pick<WebhookRow, 'user_id'>,
  rows: DeliveryRow[],
): Promise<DeliveryRow[]> {
  const user = requireUser(actor)
  if (user.isAdmin || user.id === user_id) return rows
  const repoIds = rows.map(repoOf).filter((id) => id !== undefined)
  const repos = await findReposById(reader, repoIds, user.id)
  return rows.filter((row) => {
    const id = repoOf(row)
    if (id === undefined) return true
    const repo = repos.get(id)
    return repo !== undefined && can(user, 'repo.webhooks', repo, policyOf(config))
  })
}

/** Absent in tests of what watches namespaces alone. */
const repoOf = ({ subject }: DeliveryRow): string | undefined => (subject as unknown as Subject).repo?.id
