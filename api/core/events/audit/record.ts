import { actorId } from '../../access/index.ts'
import type { Ctx } from '../../ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { count } from '../../../platform/telemetry/index.ts'

/** One change of rights, people, visibility or existence. Never put a secret into `before` or `after`. */
export interface AuditEntry {
  /** `noun.verb`, such as `repo.create`, `org.member.set`, `token.create`, `login.fail`. */
  action: string
  target: { type: string; id: string; name: string }
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  outcome?: 'ok' | 'refused'
}

/** Writes the row in the change's own transaction, so the one exists only with the other. */
export async function audit({ q, t }: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { actor, origin } = ctx
  await q.insert(t.audit).values({
    id: newId(),
    at: ctx.now(),
    request_id: origin.requestId,
    actor_id: actorId(actor),
    auth_kind: actor.kind === 'user' ? actor.auth.kind : actor.kind,
    token_id: actor.kind === 'user' && actor.auth.kind === 'token' ? actor.auth.tokenId : null,
    ip: origin.ip,
    action: entry.action,
    target_type: entry.target.type,
    target_id: entry.target.id,
    target_name: entry.target.name,
    before: entry.before ?? null,
    after: entry.after ?? null,
    outcome: entry.outcome ?? 'ok',
  })
  if (entry.action === 'login.fail') count('arsenal.auth.failures', { reason: 'sign-in' })
}
