export { oldAudit } from './sweep.ts'
export { audit, type AuditEntry } from './audit.ts'
