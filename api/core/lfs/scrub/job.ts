import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import { defineJob, howLarge, howMany, type JobKind, type RunningJob } from '../../jobs/index.ts'
import type { Scrub, StoredBytes } from '../../scrub.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { dropOldFaults, noteFault } from './faults.ts'
import { paced } from './pace.ts'

const DAY_MS = 24 * 3_600_000
/** Two days before the promised thirty: a day on which no worker runs is made up for. */
const ROUND_MS = 28 * DAY_MS
/** How far a run that dies may have to read again. */
const NOTE_EVERY_BYTES = 64 * 1024 * 1024
const NOTE_EVERY_OBJECTS = 200

/** Each night, behind `gc`. */
export const SCRUB_SCHEDULE = '30 3 * * *'

const input = z.strictObject({
  /** Reads everything now, whatever was read this month. */
  all: z.boolean().optional(),
})

interface Round {
  after: string
  startedAt: Date
  readBytes: number
}

interface Counts {
  read_bytes: number
  objects: number
  damaged: number
}

/**
 * The nightly job that reads stored bytes again, so that each is read within 30 days, and notices what a disk has changed
 * (reliability.md §12). It goes on where the last run ended. Damage is put into quarantine: reads answer a problem, and an
 * upload of the same bytes is asked for and heals it.
 */
export function scrubJob(scrubs: readonly Scrub[]): JobKind<z.output<typeof input>> {
  return defineJob({
    kind: 'blob.scrub',
    input,
    maxAttempts: 3,
    unit: 'bytes',
    title: () => 'Read stored bytes again',
    async run(ctx, { all = false }, job) {
      const counts: Counts = { read_bytes: 0, objects: 0, damaged: 0 }
      for (const scrub of scrubs) {
        const before = { ...counts }
        await scrubKind(ctx, scrub, { job, counts, all })
        const read = howMany(counts.objects - before.objects, 'object')
        const bytes = howLarge(counts.read_bytes - before.read_bytes)
        job.log(`${scrub.kind}: read ${read}, ${bytes}, ${counts.damaged - before.damaged} damaged.`)
      }
      await job.write((tx) => dropOldFaults(tx, 'chunks', ctx.now()))
      return { ...counts }
    },
  })
}

async function scrubKind(
  ctx: Ctx,
  scrub: Scrub,
  { job, counts, all }: { job: RunningJob; counts: Counts; all: boolean },
): Promise<void> {
  const round = (all ? undefined : await findRound(ctx, scrub.kind)) ?? {
    after: '',
    startedAt: ctx.now(),
    readBytes: 0,
  }
  const goal = all ? Number.POSITIVE_INFINITY : await goalOf(ctx, scrub, round)
  const reading = { db: ctx.db, log: ctx.log, blobs: paced(ctx.blobs, job.signal) }
  let noted = { bytes: 0, objects: 0 }
  for await (const stored of scrub.after(ctx, round.after)) {
    if (round.readBytes >= goal) return noteRound(job, scrub.kind, round)
    job.signal.throwIfAborted()
    const fault = await stored.fault(reading)
    if (fault !== undefined && (await setAside(ctx, { job, kind: scrub.kind }, stored, fault)))
      counts.damaged++
    counts.objects++
    counts.read_bytes += stored.sizeBytes
    round.after = stored.id
    round.readBytes += stored.sizeBytes
    noted = { bytes: noted.bytes + stored.sizeBytes, objects: noted.objects + 1 }
    await job.progress(counts.read_bytes)
    if (noted.bytes < NOTE_EVERY_BYTES && noted.objects < NOTE_EVERY_OBJECTS) continue
    await noteRound(job, scrub.kind, round)
    noted = { bytes: 0, objects: 0 }
  }
  await noteRound(job, scrub.kind, { after: '', startedAt: ctx.now(), readBytes: 0 }, ctx.now())
}

async function findRound({ db: { q, t } }: Ctx, kind: string): Promise<Round | undefined> {
  const { blob_scrubs: s } = t
  const [row] = await q.select().from(s).where(eq(s.kind, kind))
  return row && { after: row.after, startedAt: row.round_started_at, readBytes: Number(row.read_bytes) }
}

/** Bytes that must have been read by the next night; everything when the round is to end by then. */
async function goalOf(ctx: Ctx, scrub: Scrub, { startedAt }: Round): Promise<number> {
  const share = (ctx.now().getTime() + DAY_MS - startedAt.getTime()) / ROUND_MS
  return share >= 1 ? Number.POSITIVE_INFINITY : share * (await scrub.totalBytes(ctx))
}

async function noteRound(job: RunningJob, kind: string, round: Round, finished_at?: Date): Promise<void> {
  const set = {
    after: round.after,
    round_started_at: round.startedAt,
    read_bytes: round.readBytes,
    ...(finished_at && { finished_at }),
  }
  await job.write(async ({ q, t: { blob_scrubs: s } }) => {
    await q
      .insert(s)
      .values({ kind, ...set })
      .onConflictDoUpdate({ target: s.kind, set })
  })
}

async function setAside(
  ctx: Ctx,
  { job, kind }: { job: RunningJob; kind: string },
  stored: StoredBytes,
  message: string,
): Promise<boolean> {
  const { key, id, repoId } = stored
  const isDamaged = await job.write(async (tx: Tx) => {
    if (!(await stored.quarantine(tx, ctx.now()))) return false
    const found_at = ctx.now()
    await noteFault(tx, { key, kind, subject: id, repo_id: repoId ?? null, message, found_at })
    return true
  })
  if (isDamaged) ctx.log.error({ kind, key, fault: message }, 'scrub: stored bytes are damaged')
  return isDamaged
}
