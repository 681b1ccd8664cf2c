import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { audit, type AuditEntry } from '../../core/events/index.ts'
import type { Repo } from '../repos/index.ts'
import type { Discussion } from './queries.ts'

interface Audited {
  repo: Repo
  discussion: Discussion
  /** Id of the comment it is about, if one. */
  comment?: string
}

/** The audit row of what somebody did to a discussion in their role, or to what another has written. */
export async function auditDiscussion(
  tx: Tx,
  ctx: Ctx,
  action:
    | 'comment.edit'
    | 'comment.hide'
    | 'comment.reopen'
    | 'comment.resolve'
    | 'discussion.update'
    | 'pull_request.merge',
  { repo, discussion, comment }: Audited,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> {
  const target = {
    type: comment === undefined ? 'discussion' : 'comment',
    id: comment ?? discussion.id,
    name: `${repo.ns}/${repo.name}#${discussion.num}`,
  }
  await audit(tx, ctx, { action, target, ...change })
}
