export type { CheckedFinding, Finding, HealthCheck } from './check.ts'
export { runChecks } from './run-checks.ts'
export { databaseAheadMs, storeAheadMs } from './checks/clock.ts'
