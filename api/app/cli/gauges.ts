import type { Deps } from '../../core/ctx.ts'
import { countQueue, type QueueCounts } from '../../core/jobs/index.ts'
import { readOverview } from '../../rooms/admin/index.ts'
import { databaseAheadMs, storeAheadMs } from '../../rooms/health/index.ts'

/** Several gauges of one collection are read from one answer. */
const SAME_MS = 1000
/** The clock of a bucket is read by three requests, one of them a write. */
const CLOCK_MS = 60_000

/** What is read from the database and the store when metrics are collected. Every process answers for all of them. */
export function addGauges(deps: Deps): void {
  const { telemetry, db, blobs, now } = deps
  const queue = keptFor(SAME_MS, () => countQueue(db, now()))
  const ofQueue = (read: (counts: QueueCounts) => number) => async () => one(read(await queue()))
  telemetry.gauge(
    'arsenal.jobs.queued',
    ofQueue(({ queued }) => queued),
  )
  telemetry.gauge(
    'arsenal.jobs.running',
    ofQueue(({ running }) => running),
  )
  telemetry.gauge(
    'arsenal.jobs.age',
    ofQueue(({ ageMs }) => ageMs / 1000),
  )
  telemetry.gauge(
    'arsenal.jobs.failed',
    ofQueue(({ failed }) => failed),
  )
  const disk = keptFor(SAME_MS, () => blobs.freeSpace())
  telemetry.gauge('arsenal.store.free_bytes', async () => optional((await disk())?.freeBytes))
  telemetry.gauge('arsenal.store.total_bytes', async () => optional((await disk())?.totalBytes))
  telemetry.gauge('arsenal.store.used_bytes', async () => {
    const { storage } = await readOverview(deps)
    const kinds = ['lfs', 'git', 'uploads', 'chunks'] as const
    return kinds.map((kind) => ({ value: storage[kind].bytes, labels: { kind } }))
  })
  const clocks = [
    ...(db.engine === 'postgres' ? [() => databaseAheadMs(deps)] : []),
    ...(blobs.kind === 's3' ? [keptFor(CLOCK_MS, () => storeAheadMs(deps))] : []),
  ]
  if (clocks.length > 0)
    telemetry.gauge('arsenal.clock.skew', async () => {
      const apart = await Promise.all(clocks.map((aheadMs) => aheadMs()))
      return one(Math.max(...apart.map(Math.abs)) / 1000)
    })
  telemetry.gauge('arsenal.scrub.corrupt', async () =>
    one((await readOverview(deps)).storage.lfs.corrupt_count),
  )
}

const one = (value: number) => [{ value }]
const optional = (value: number | undefined) => (value === undefined ? [] : one(value))

function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; at: number } | undefined
  return () => {
    const at = performance.now()
    if (!kept || at - kept.at > ms) kept = { answer: read(), at }
    return kept.answer
  }
}
