import type { AuditRow } from './read.ts'

/** A row of the audit as callers see it: on a page, in an export, in a stream. */
export const eventOf = (row: AuditRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  ...(row.request_id && { request_id: row.request_id }),
  ...(row.actor && { actor: row.actor }),
  ...(row.actor_id && { actor_id: row.actor_id }),
  auth_kind: row.auth_kind,
  ...(row.token_id && { token_id: row.token_id }),
  ...(row.ip && { ip: row.ip }),
  action: row.action,
  target: { type: row.target_type, id: row.target_id, name: row.target_name },
  ...(row.before && { before: row.before }),
  ...(row.after && { after: row.after }),
  outcome: row.outcome,
  ...(row.seal && { seal: row.seal }),
})

/** A row as one line of JSON, with its end. */
export const auditLine = (row: AuditRow): string => `${JSON.stringify(eventOf(row))}\n`
