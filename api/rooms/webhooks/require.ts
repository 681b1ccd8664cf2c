import { and, eq } from 'drizzle-orm'
import { managedWebhooks, requireAccount, type UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { hasShortId } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { findWebhooks, type Reader, type Webhook } from './queries.ts'

/**
 * The webhook of this id, or of the 24 digits that hub clients know it by, for a caller who may manage it; instance
 * admins may manage each. A fenced token may none: a webhook tells more, and for longer. Problem `not-found`.
 */
export async function requireWebhook(
  ctx: Ctx,
  id: string,
  scope: 'read' | 'write',
  reader: Reader = ctx.db,
): Promise<{ webhook: Webhook; user: UserActor }> {
  const user = requireAccount(ctx.actor, scope)
  const { webhooks } = reader.t
  const isIt = /^[\da-f]{24}$/.test(id) ? hasShortId(webhooks.id, id) : eq(webhooks.id, id.toLowerCase())
  const filter = user.isAdmin ? isIt : and(isIt, managedWebhooks(user, reader))
  const [webhook] = await findWebhooks(reader, filter, { limit: 1 })
  if (!webhook) throw new Problem('not-found', { detail: 'There is no such webhook.' })
  return { webhook, user }
}
