import type { Deps } from '../ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import type { JobRow } from './queries.ts'

/** Runs in the transaction in which a job ends, with the job as it is then, to notify those who follow it. */
export type JobEnded = (tx: Tx, deps: Deps, job: JobRow) => Promise<void>

/** Calls `ended` if the change is the end of the job. */
export async function tellEnd(
  tx: Tx,
  deps: Deps,
  ended: JobEnded | undefined,
  job: JobRow,
  change: Partial<JobRow>,
): Promise<void> {
  if (ended && change.finished_at) await ended(tx, deps, { ...job, ...change })
}
