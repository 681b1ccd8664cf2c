import * as checks from '../checks.ts'
import { bool, duration, int, text } from '../makers.ts'
import { section, unlessEmpty } from './section.ts'

export const jobs = section({
  workers: int(4, { min: 1 }).describe('Concurrent jobs per worker process.'),
  lease: duration('1m', { min: 1000 }).describe('Lease of a claimed job, renewed while it runs.'),
})

export const gc = section({
  schedule: text('0 3 * * *')
    .superRefine(unlessEmpty(checks.scheduleFault))
    .describe('Five-field cron schedule of the `gc` job.'),
  grace_period: duration('168h').describe('Unreferenced LFS objects are deleted after this long.'),
})

export const repos = section({
  restore_window: duration('168h').describe('How long a deleted repo can be restored before it is purged.'),
})

export const scan = section({
  strict: bool(false).describe(
    'Report suspicious files as unsafe: those that import what is not known to be harmless, or that the scan cannot read.',
  ),
})
