import type { Ctx } from './ctx.ts'
import type { Tx } from '../stores/db/index.ts'

/** Where a sweep writes: a job's fenced transaction, or the database's own. */
export type Write = <T>(change: (tx: Tx) => Promise<T>) => Promise<T>

/** What a sweep may do. */
export interface SweepRun {
  /** Counts what it would do and changes nothing. */
  dryRun: boolean
  signal: AbortSignal
  /** The only way to change rows: fenced by the job's attempt. */
  write: Write
}

/** One room's part of the `gc` job; it answers what it counted, by name. */
export interface Sweep {
  name: string
  run(ctx: Ctx, run: SweepRun): Promise<Record<string, number | boolean>>
}

/** Rows of one transaction: others must not wait long for the writer's turn. */
export const SWEEP_ROWS = 1000

/** Calls `removeSome`, which deletes at most `SWEEP_ROWS` rows, until none is left; a dry run counts them instead. */
export async function sweepRows(
  { dryRun, signal, write }: SweepRun,
  count: () => Promise<number>,
  removeSome: (tx: Tx) => Promise<unknown[]>,
): Promise<number> {
  if (dryRun) return count()
  for (let removed = 0; ;) {
    signal.throwIfAborted()
    const { length } = await write(removeSome)
    removed += length
    if (length < SWEEP_ROWS) return removed
  }
}
