import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { defineJob, enqueue, type JobRow } from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { findReposById, requireRepo, type RepoAddress } from '../../repos/index.ts'
import { packed, unpacked } from '../kept/packed.ts'
import { bytesToRead, compareBytes, type Comparison } from './compare-bytes.ts'
import type { Side } from './header-diff.ts'
import { openSides, type ComparedSides } from './sides.ts'

const Place = z.object({ commit: z.string(), path: z.string() })

/** Compares the bytes of the tensors of two revisions of a file, and keeps the result by their contents. */
export const tensorsCompare = defineJob({
  kind: 'tensors.compare',
  maxAttempts: 3,
  unit: 'bytes',
  input: z.object({ repo_id: z.string(), old: Place, new: Place }),
  // It may read hundreds of GB: other jobs must move on meanwhile.
  share: 0.5,
  onePerUser: true,
  title: (input) =>
    `Compare the tensors of ${input.new.path} at ${input.old.commit.slice(0, 7)} and ${input.new.commit.slice(0, 7)}`,
  async run(ctx, input, job) {
    const repo = (await findReposById(ctx.db, [input.repo_id], '')).get(input.repo_id)
    if (!repo || repo.isDeleted) throw new Problem('repo-not-found')
    const sides = await openSides(ctx, repo, input)
    const known = await findComparison(ctx, sides.pair)
    if (known) return resultOf(known)
    const total = bytesToRead(sides)
    let done = 0
    const comparison = await compareBytes(sides, {
      signal: job.signal,
      onRead: async (bytes) => {
        done += bytes
        await job.progress(Math.min(done, total), total)
      },
    })
    const result = await packed(comparison)
    if (!result) throw new Error('a comparison of 10 000 names fits')
    const kept = { result, touched_at: ctx.now() }
    const { tensor_comparisons: c } = ctx.db.t
    await job.write(({ q }) =>
      q
        .insert(c)
        .values({ pair: sides.pair, ...kept })
        .onConflictDoUpdate({ target: c.pair, set: kept }),
    )
    return resultOf(comparison)
  },
})

const resultOf = ({ equal, differentCount, readBytes }: Comparison) => ({
  equal,
  different: differentCount,
  read: readBytes,
})

/** What is known of a comparison by bytes. */
export interface TensorComparison {
  sides: ComparedSides
  /** Nothing until a job has compared them. */
  comparison: Comparison | undefined
}

/** What is known of how the bytes of tensors differ. Problems: those of `openSides`, `gated`. */
export async function getComparison(
  ctx: Ctx,
  address: RepoAddress,
  asked: { old: Side; new: Side },
): Promise<TensorComparison> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  const sides = await openSides(ctx, repo, asked)
  return { sides, comparison: await findComparison(ctx, sides.pair) }
}

/** Queues the comparison; an equal one under way for the same caller is answered instead. Problems as of `getComparison`. */
export async function queueComparison(
  ctx: Ctx,
  address: RepoAddress,
  asked: { old: Side; new: Side },
): Promise<JobRow> {
  const repo = await requireRepo(ctx, address, 'repo.compare')
  const { old, new: now, pair } = await openSides(ctx, repo, asked)
  const by = ctx.actor.kind === 'user' ? ctx.actor.id : ''
  const input = { repo_id: repo.id, old, new: now }
  const options = { dedupKey: [repo.id, pair, by].join('/'), repoId: repo.id }
  return ctx.db.write((tx) => enqueue(tx, ctx, tensorsCompare, input, options))
}

/** Keeps what is in use from `gc`. */
const TOUCH_MS = 24 * 3_600_000

async function findComparison({ db, now }: Ctx, pair: string): Promise<Comparison | undefined> {
  const { tensor_comparisons: c } = db.t
  const [row] = await db.q.select().from(c).where(eq(c.pair, pair))
  if (!row) return undefined
  if (now().getTime() - row.touched_at.getTime() > TOUCH_MS)
    await db.write(({ q }) => q.update(c).set({ touched_at: now() }).where(eq(c.pair, pair)))
  return unpacked<Comparison>(row.result)
}
