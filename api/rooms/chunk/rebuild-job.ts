import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../core/ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import { deleteDiscarded, deleteReserved, discardKeys } from '../../core/lfs/index.ts'
import { defineJob, howLarge, howMany, type RunningJob } from '../../core/jobs/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { StoreError, storeProblem } from '../../stores/storage/index.ts'
import { DamagedXorb } from './damaged-xorb.ts'
import { FormatError } from './format/index.ts'
import type { RebuildRow, XorbRow } from './queries.ts'
import { rebuildFile, reserveObjects } from './rebuild-file.ts'
import { recordRebuilds, type Outcome } from './record-rebuilds.ts'
import { ShardTerms } from './shard-terms.ts'
import { tellWatchers } from './watch-rebuilds.ts'
import { Limiter } from '../../platform/flow/index.ts'

/** Small files put together side by side. */
const AT_ONCE = 8
/** Small files whose keys are reserved, and which are recorded, in one transaction. */
const BATCH_FILES = 64
const BATCH_BYTES = 4 * 1024 * 1024
/** Jobs at once in this process; each takes a thread's time and a share of the disk (chunk-upload.md §9). */
const limiter = new Limiter({ perKey: 2, atOnce: 2 })

/**
 * Puts the files of an accepted shard together and makes them objects, granted to all who claimed them. May be repeated:
 * each file is one object and one transaction, and what is done leaves the list.
 */
export const chunkRebuild = defineJob({
  kind: 'chunk.rebuild',
  /** `shard`: its blob key. `bytes`: of all its files. */
  input: z.strictObject({ shard: z.string(), files: z.number(), bytes: z.number() }),
  maxAttempts: 5,
  unit: 'bytes',
  // Those that wait for a turn would keep the workers from other jobs: of four, as many as there are turns.
  share: 0.5,
  onePerUser: true,
  title: ({ files }) => `Put ${files === 1 ? 'a file' : `${files} files`} together from chunks`,
  async run(ctx, input, job) {
    return limiter.run('', () => rebuildAll(ctx, input, job))
  },
})

async function rebuildAll(
  ctx: Ctx,
  { shard, files, bytes }: { shard: string; files: number; bytes: number },
  job: RunningJob,
) {
  const xorbs = await pinnedXorbs(ctx.db, job.id)
  const from = howMany(xorbs.size, 'container')
  job.log(`${howMany(files, 'file')} to put together from ${from}, ${howLarge(bytes)}.`)
  const terms = new ShardTerms(ctx, shard, job.signal)
  const counts = { rebuilt: 0, refused: 0 }
  let doneBytes = 0
  const progress = (moreBytes: number) => job.progress((doneBytes += moreBytes), bytes)
  for (let rows = await nextRows(ctx.db, job.id); rows.length > 0; rows = await nextRows(ctx.db, job.id)) {
    job.signal.throwIfAborted()
    const keys = await reserveObjects(ctx, rows)
    const lanes = new Limiter({ perKey: AT_ONCE, atOnce: AT_ONCE })
    const run = { job, terms, progress }
    const settled = await Promise.allSettled(
      rows.map((row) => lanes.run('', () => attempt(ctx, row, keys.get(row.id), xorbs, run))),
    )
    const outcomes = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await recordAll(ctx, outcomes, job)
    for (const { refusal, row } of outcomes) {
      counts[refusal ? 'refused' : 'rebuilt']++
      if (refusal) job.log(`${row.file_hash} is refused: ${refusal.detail ?? refusal.title}`)
    }
    job.log(`${counts.rebuilt} put together and verified, ${counts.refused} refused.`)
    const failed = settled.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }
  await job.write(async (tx) => {
    await tx.q.delete(tx.t.chunk_pins).where(eq(tx.t.chunk_pins.job_id, job.id))
    await discardKeys(tx, ctx, [shard])
  })
  await deleteDiscarded(ctx, [shard])
  return counts
}

/** The files to work on next: one, or several small ones. */
async function nextRows({ q, t }: Db, jobId: string): Promise<RebuildRow[]> {
  const { chunk_rebuilds: r } = t
  const rows = await q
    .select()
    .from(r)
    .where(and(eq(r.job_id, jobId), isNotNull(r.active_key)))
    .orderBy(asc(r.id))
    .limit(BATCH_FILES)
  let bytes = 0
  return rows.filter((row, i) => i === 0 || (bytes += row.size) <= BATCH_BYTES)
}

async function pinnedXorbs({ q, t }: Db, jobId: string): Promise<Map<string, XorbRow>> {
  const { chunk_pins: p, chunk_xorbs: x } = t
  const rows = await q
    .select({ xorb: x })
    .from(x)
    .innerJoin(p, eq(p.xorb_hash, x.xorb_hash))
    .where(eq(p.job_id, jobId))
  return new Map(rows.map(({ xorb }) => [xorb.xorb_hash, xorb]))
}

/** A failure of this content is its outcome; one that may pass is the job's. */
async function attempt(
  ctx: Ctx,
  row: RebuildRow,
  key: string | undefined,
  xorbs: Map<string, XorbRow>,
  { job, ...run }: { job: RunningJob; terms: ShardTerms; progress: (bytes: number) => Promise<void> },
): Promise<Outcome> {
  const { signal } = job
  try {
    signal.throwIfAborted()
    return { row, rebuilt: await rebuildFile(ctx, row, key, xorbs, { ...run, signal }) }
  } catch (error) {
    job.signal.throwIfAborted()
    if (error instanceof DamagedXorb) return { row, refusal: lost(row, error), damage: error }
    const refusal = refusalOf(row, error)
    if (refusal) return { row, refusal }
    throw error instanceof StoreError ? storeProblem(error) : error
  }
}

const lost = ({ file_hash }: RebuildRow, cause: unknown) =>
  new Problem('invalid-request', {
    detail: `The file ${file_hash} cannot be put together, for chunks of it have been damaged on the server. Delete $HF_HOME/xet, then upload it again.`,
    cause,
  })

function refusalOf(row: RebuildRow, error: unknown): Problem | undefined {
  if (error instanceof Problem && error.status < 500) return error
  const isLost = error instanceof StoreError && error.kind === 'missing' && error.key === row.shard_key
  return isLost || error instanceof FormatError ? lost(row, error) : undefined
}

async function recordAll(ctx: Ctx, outcomes: Outcome[], job: RunningJob): Promise<void> {
  const unused = await job
    .write((tx) => recordRebuilds(tx, ctx, outcomes))
    .catch(async (error: unknown) => {
      for (const { rebuilt } of outcomes) if (rebuilt) await deleteReserved(ctx, rebuilt.key)
      throw error
    })
  // Before second copies are deleted: the sender must not wait longer for what others have.
  tellWatchers()
  await deleteDiscarded(ctx, unused)
}
