import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { defineJob, enqueue } from '../../jobs/index.ts'
import { sumLivePacks } from '../packs/catalogue.ts'
import { compact } from './compact.ts'
import { enterGap, findGap } from '../history/index-gap.ts'
import { MIN_BITMAP_OBJECTS } from '../packs/pack-bitmap.ts'

/** Joins a repo's small packs. */
export const gitCompact = defineJob({
  kind: 'git.compact',
  maxAttempts: 3,
  input: z.object({ repo_id: z.string() }),
  title: () => 'Compact packs',
  // A commit during the repack would find this job, and leave its pack to no job.
  admitsEqual: true,
  run: async ({ git }, { repo_id }, job) => ({
    replaced: await compact(git, repo_id, { write: job.write.bind(job), signal: job.signal }),
  }),
})

// Of twenty bytes each while they wait to be entered; the largest histories known have about as many.
const MAX_HISTORY = 2_000_000

/** Enters the history of a ref that was too long to go with the push that brought it. */
export const gitIndex = defineJob({
  kind: 'git.index',
  maxAttempts: 3,
  input: z.object({ repo_id: z.string(), ref: z.string() }),
  title: () => 'Read the history',
  async run({ git }, { repo_id, ref }, job) {
    const snapshot = await git.openFresh(repo_id, job)
    const head = snapshot.findRef(ref)
    const gap = head && (await findGap(git, snapshot, head.commit, { max: MAX_HISTORY }))
    if (gap) await enterGap(git, snapshot, gap, { ref, write: job.write.bind(job) })
    return { commits: gap?.length ?? 0 }
  },
})

/**
 * Queues a compaction in the transaction of a ref move, when the repo has more live packs than `git.compact_threshold`, or
 * when it is large and a third of it is in no pack that could have a bitmap.
 */
export async function compactWhenDue(
  tx: Tx,
  ctx: Pick<Ctx, 'db' | 'now' | 'actor' | 'config'>,
  repoId: string,
): Promise<void> {
  const { packs, objects, asTheyCame } = await sumLivePacks(tx, repoId)
  const wantsBitmap = asTheyCame > MIN_BITMAP_OBJECTS && asTheyCame * 3 > objects
  if (packs <= ctx.config.git.compact_threshold && !wantsBitmap) return
  await enqueue(tx, ctx, gitCompact, { repo_id: repoId }, { dedupKey: repoId, repoId, createdBy: null })
}
