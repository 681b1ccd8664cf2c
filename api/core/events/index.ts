export { audit, type AuditEntry } from './audit/record.ts'
export { publish, publishMoves, type Change, type ChangeListener, type Publisher } from './publish.ts'
export { exportAudit, listAudit, type AuditFilter, type AuditRow } from './audit/read.ts'
export type * from './subject.ts'
export { oldAudit } from './audit/expire.ts'
export { auditSeal, SEAL_SCHEDULE } from './audit/seal.ts'
export {
  parseSeal,
  SEAL_TEXT,
  verifyAudit,
  type AuditFault,
  type ChainReport,
  type KnownSeal,
} from './audit/verify.ts'
