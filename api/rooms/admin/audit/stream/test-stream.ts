import { requireInstanceAdmin } from '../../../../core/access/index.ts'
import type { Ctx } from '../../../../core/ctx.ts'
import { auditLine } from '../../../../core/events/index.ts'
import type { Lookup } from '../../../../platform/net/index.ts'
import { newId } from '../../../../stores/db/index.ts'
import { requireStream, STREAM } from './row.ts'
import { sendBatch, type Sent } from './send.ts'

/**
 * Sends one row that is not part of the audit log, also while the stream is paused, and answers what came of it. For instance
 * admins. Problem `not-found` when no stream is set.
 */
export async function testStream(ctx: Ctx, lookup?: Lookup): Promise<Sent> {
  const { id: actorId, username, auth } = requireInstanceAdmin(ctx.actor)
  const stream = await requireStream(ctx.db)
  const id = newId()
  const body = auditLine({
    id,
    at: ctx.now(),
    request_id: ctx.origin.requestId,
    actor: username,
    actor_id: actorId,
    auth_kind: auth.kind,
    token_id: null,
    ip: ctx.origin.ip,
    action: 'audit.stream.test',
    target_type: 'instance',
    target_id: STREAM,
    target_name: 'audit stream',
    before: null,
    after: null,
    outcome: 'ok',
    seal: null,
  })
  return sendBatch(ctx, stream, { key: `audit-test-${id}`, body }, ctx.signal, lookup)
}
