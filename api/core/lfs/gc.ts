import { z } from 'zod'
import type { Ctx } from '../ctx.ts'
import type { Sweep, SweepRun } from '../sweep.ts'
import { defineJob, type JobKind } from '../jobs/index.ts'
import { count } from '../../platform/telemetry/index.ts'
import { countDueDeletions } from './queries.ts'
import { heldUntil } from './holds.ts'
import { workOffDeletions } from './deletions.ts'
import { sweepObjects } from './sweep-objects.ts'
import { sweepStrays } from './sweep-strays.ts'

const objects: Sweep = { name: 'lfs_objects', run: sweepObjects }
const strays: Sweep = { name: 'strays', run: sweepStrays }
const deletions: Sweep = {
  name: 'blobs',
  run: async (ctx, run) => ({
    deleted: run.dryRun ? await countDueDeletions(ctx.db, ctx.now()) : await workOffDeletions(ctx, run),
    // A backup under way: what is due is deleted once it has ended.
    ...((await heldUntil(ctx.db, ctx.now())) ? { held: true } : {}),
  }),
}

/** What it takes to queue a run. */
export const gcTicket = {
  kind: 'gc',
  maxAttempts: 3,
  title: ({ dry_run }: { dry_run?: boolean | undefined }) =>
    dry_run ? 'Report what could be freed' : 'Free unused storage',
}

interface SweepReport {
  progress: (done: number, total: number) => Promise<void>
  /** Hears what a part counted when it has ended. */
  swept?: (name: string, counts: Record<string, number | boolean>) => void
}

/** Runs every part; answers its counts by the name of its sweep. */
export async function runSweeps(
  ctx: Ctx,
  sweeps: readonly Sweep[],
  run: SweepRun,
  { progress, swept = () => undefined }: SweepReport,
): Promise<Record<string, unknown>> {
  const report: Record<string, unknown> = { dry_run: run.dryRun }
  const all = [...sweeps, objects, strays, deletions]
  for (const [i, sweep] of all.entries()) {
    await progress(i, all.length)
    const counts = await sweep.run(ctx, run).catch((error: unknown) => {
      if (!run.signal.aborted) count('arsenal.gc.aborted', {})
      throw error
    })
    report[sweep.name] = counts
    swept(sweep.name, counts)
    if (!run.dryRun) countSwept(counts)
  }
  return report
}

/**
 * The nightly job that frees storage (git-storage.md §7, reliability.md §11): first `sweeps` of other rooms (expired
 * uploads, orphaned packs), then unused LFS objects and strays, last the bytes of everything discarded. Each part is
 * safe to repeat. The result holds every count by the name of its sweep.
 */
export function gcJob(sweeps: readonly Sweep[]): JobKind<{ dry_run?: boolean | undefined }> {
  return defineJob({
    ...gcTicket,
    input: z.strictObject({ dry_run: z.boolean().optional() }),
    async run(ctx, input, job) {
      const run: SweepRun = {
        dryRun: input.dry_run ?? false,
        signal: job.signal,
        write: (change) => job.write(change),
      }
      return runSweeps(ctx, sweeps, run, {
        progress: (done, total) => job.progress(done, total),
        swept: (name, counts) => job.log(`${name}: ${figures(counts)}`),
      })
    },
  })
}

const figures = (counts: Record<string, number | boolean>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

/** Of each sweep what it marked and deleted; what else it counts is in the report alone. */
function countSwept({ marked, deleted }: Record<string, number | boolean>): void {
  if (typeof marked === 'number') count('arsenal.gc.marked', {}, marked)
  if (typeof deleted === 'number') count('arsenal.gc.deleted', {}, deleted)
}
