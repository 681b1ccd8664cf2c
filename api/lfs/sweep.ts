import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/index.ts'

/** Where a sweep writes: a Job's fenced transaction, or the database's own. */
export type Write = <T>(change: (tx: Tx) => Promise<T>) => Promise<T>

/** What a sweep may do. */
export interface SweepRun {
  /** Counts what it would do and changes nothing. */
  dryRun: boolean
  signal: AbortSignal
  /** The only way to change rows: fenced by the Job's attempt. */
  write: Write
}

/** One room's part of the `gc` Job; it answers what it counted, by name. */
export interface Sweep {
  name: string
  run(ctx: Ctx, run: SweepRun): Promise<Record<string, number | boolean>>
}

const MAX_COUNT = 1000
const MAX_SHARE = 0.2

/** Whether deleting `doomed` of `total` is a mistake rather than a sweep (reliability.md §11.7). */
export function isTooMany(doomed: number, total: number): boolean {
  return doomed > MAX_COUNT && doomed > MAX_SHARE * total
}
