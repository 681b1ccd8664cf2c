import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit, type AuditEntry } from '../../core/events/index.ts'
import type { Collection } from './queries.ts'

/** The audit row of a change to a collection. */
export async function auditCollection(
  tx: Tx,
  ctx: Ctx,
  action: `collection.${'create' | 'update' | 'delete' | 'item.add' | 'item.remove'}`,
  { id, ns, title }: Pick<Collection, 'id' | 'ns' | 'title'>,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> {
  const target = { type: 'collection', id, name: `${ns}/${title}` }
  await audit(tx, ctx, { action, target, ...change })
}
