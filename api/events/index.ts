export { audit, type AuditEntry } from './audit.ts'
