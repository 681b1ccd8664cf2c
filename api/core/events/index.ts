export { audit, type AuditEntry } from './audit/record.ts'
export { publish, publishMoves, type Change, type ChangeListener, type Publisher } from './publish.ts'
export { auditLine, eventOf } from './audit/lines.ts'
export { exportAudit, listAudit, sealedAfter, type AuditFilter, type AuditRow } from './audit/read.ts'
export type * from './subject.ts'
export { oldAudit } from './audit/expire.ts'
export { auditSeal, lastSeal, SEAL_SCHEDULE, sealNew, sealWithin } from './audit/seal.ts'
export { countWaiting, firstSeal, isAnyWaiting, type Waiting } from './audit/waiting.ts'
export {
  parseSeal,
  SEAL_TEXT,
  verifyAudit,
  type AuditFault,
  type ChainReport,
  type KnownSeal,
} from './audit/verify.ts'
