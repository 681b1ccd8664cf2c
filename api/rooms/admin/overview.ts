import { setImmediate } from 'node:timers/promises'
import manifest from '../../package.json' with { type: 'json' }
import { requireInstanceAdmin } from '../../core/access/index.ts'
import type { Ctx, Deps } from '../../core/ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import * as read from './queries.ts'

const dayMs = 86_400_000
const leastMs = 5000
/** An answer is kept this many times as long as it took, so that counting takes 5 % of the time at most. */
const keptPerTaken = 20

export type Overview = Awaited<ReturnType<typeof gather>>

/** The last answer for each database, or the one under way, which everybody who asks meanwhile waits for. */
const latest = new WeakMap<Db, { answer: Promise<Overview>; until: number }>()

/** What is stored, what it costs, how the jobs stand and what runs. For instance admins. */
export async function getOverview(ctx: Ctx): Promise<Overview> {
  requireInstanceAdmin(ctx.actor)
  return readOverview(ctx)
}

/** The same, for metrics; an answer is given again for some seconds, longer where counting is slow. */
export async function readOverview(ctx: Deps): Promise<Overview> {
  const kept = latest.get(ctx.db)
  if (kept && ctx.now().getTime() < kept.until) return kept.answer
  const entry = { answer: gather(ctx), until: Infinity }
  latest.set(ctx.db, entry)
  const began = ctx.now().getTime()
  const ended = (forMs: (tookMs: number) => number) => {
    const now = ctx.now().getTime()
    entry.until = now + forMs(now - began)
  }
  entry.answer.then(
    () => ended((tookMs) => Math.max(leastMs, tookMs * keptPerTaken)),
    () => ended(() => 0),
  )
  return entry.answer
}

/** What is stored at this moment, counted for this call. */
export async function countStored(ctx: Deps, at: Date) {
  const { blobs, db } = ctx
  return {
    disk: await blobs.freeSpace(),
    lfs: await inTurn(db, read.sumObjects),
    git: await inTurn(db, read.sumPacks),
    uploads: await inTurn(db, read.sumUploads),
    chunks: await chunkStorage(ctx, at),
    deletions: await inTurn(db, () => read.countDeletions(db, at)),
  }
}

async function gather(ctx: Deps) {
  const { config, db } = ctx
  const at = ctx.now()
  const aDayAgo = new Date(at.getTime() - dayMs)
  return {
    at,
    storage: await countStored(ctx, at),
    jobs: await inTurn(db, () => read.countJobs(db, aDayAgo)),
    counts: { ...(await inTurn(db, read.countRepos)), ...(await inTurn(db, read.countNamespaces)) },
    server: {
      version: manifest.version,
      node: process.versions.node,
      role: config.server.role,
      started_at: new Date(at.getTime() - Math.round(process.uptime() * 1000)),
      database: await inTurn(db, read.describeDatabase),
    },
  }
}

/** Chunk containers, which stay beside the objects rebuilt from them until they have been unused for long. */
async function chunkStorage({ db, config }: Deps, at: Date) {
  const retentionMs = config.chunk.xorb_retention
  const dueBefore = new Date(at.getTime() + 7 * dayMs - retentionMs)
  const { oldest_used_at, due_bytes, ...xorbs } = await inTurn(db, () => read.sumXorbs(db, dueBefore))
  return {
    mode: config.hubapi.chunk,
    retention_seconds: Math.round(retentionMs / 1000),
    ...xorbs,
    oldest_due_at: oldest_used_at && new Date(oldest_used_at.getTime() + retentionMs),
    due_7d_bytes: due_bytes,
    ...(await inTurn(db, read.sumRebuilt)),
  }
}

/** SQLite answers in this thread, so waiting requests go first; of Postgres' connections one at a time is used. */
async function inTurn<T>(db: Db, statement: (db: Db) => Promise<T>): Promise<T> {
  await setImmediate()
  return statement(db)
}
