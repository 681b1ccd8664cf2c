import { eventOf, type AuditRow, type ChainReport } from '../../../core/events/index.ts'
import { time, type z } from '../../../core/http/contract.ts'
import type * as routes from './routes.ts'

/** A row of the audit as callers see it on a page. */
export const viewEvent = (row: AuditRow): z.input<typeof routes.AuditEvent> => eventOf(row)

export const viewChain = (report: ChainReport): z.input<typeof routes.AuditChain> => ({
  is_whole: report.faultCount === 0,
  checked: report.checked,
  unsealed: report.unsealed,
  ...(report.head && { head: { ...report.head, at: time(report.head.at) } }),
  fault_count: report.faultCount,
  faults: report.faults,
})
