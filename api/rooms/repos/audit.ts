import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit, type AuditEntry } from '../../core/events/index.ts'
import type { RepoAddress } from './address.ts'

/** The audit row of a change to a repo. */
export async function auditRepo(
  tx: Tx,
  ctx: Ctx,
  action: `repo.${string}`,
  repo: RepoAddress & { id: string },
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> {
  const target = { type: repo.type, id: repo.id, name: `${repo.ns}/${repo.name}` }
  await audit(tx, ctx, { action, target, ...change })
}
