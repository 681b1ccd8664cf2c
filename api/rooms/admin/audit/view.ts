import type { AuditRow, ChainReport } from '../../../core/events/index.ts'
import { time, type z } from '../../../core/http/contract.ts'
import type * as routes from './routes.ts'

/** A row of the audit as callers see it, on a page and in an export. */
export const viewEvent = (row: AuditRow): z.input<typeof routes.AuditEvent> => ({
  id: row.id,
  at: time(row.at),
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

export const viewChain = (report: ChainReport): z.input<typeof routes.AuditChain> => ({
  is_whole: report.faultCount === 0,
  checked: report.checked,
  unsealed: report.unsealed,
  ...(report.head && { head: { ...report.head, at: time(report.head.at) } }),
  fault_count: report.faultCount,
  faults: report.faults,
})
