export { noteCancelled } from './pull/interrupted.ts'
export { pull } from './pull/pull-job.ts'
export { endedPulls } from './sweep.ts'
export { DUE_SCHEDULE, mirrorDue, mirrorSync } from './sync/sync-job.ts'
