import { randomUUID } from 'node:crypto'
import type { Deps } from '../../../core/ctx.ts'
import { databaseClock } from '../../../core/jobs/index.ts'
import { blobKeys, fromChunks } from '../../../stores/storage/index.ts'
import type { Finding, HealthCheck } from '../check.ts'

/** Beyond this, leases of jobs and what expires within minutes end at the wrong time. */
const MAX_SKEW_MS = 60_000
/** S3 refuses requests that are signed with a clock this far from its own (RequestTimeTooSkewed). */
const REFUSED_MS = 15 * 60_000
/** Times of stored bytes have whole seconds in S3. */
const WHOLE_SECOND_MS = 1000

/** How far a clock that was read between two times of ours is ahead of it; less than 0: behind. */
function aheadMs(read: Date, from: Date, to: Date): number {
  if (read > to) return read.getTime() - to.getTime()
  return Math.min(0, read.getTime() + WHOLE_SECOND_MS - from.getTime())
}

/** How far the database's clock is ahead of this server's, in milliseconds; below 0 when it is behind. */
export async function databaseAheadMs({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const from = now()
  const read = await databaseClock(db, now)(db.q)
  return aheadMs(read, from, now())
}

/** How far the store's clock is ahead of this server's, by the time that it gives to bytes written now. */
export async function storeAheadMs({ blobs, now }: Pick<Deps, 'blobs' | 'now'>): Promise<number> {
  const key = blobKeys.probe(randomUUID())
  const from = now()
  try {
    await blobs.put(key, fromChunks(Buffer.from('arsenal doctor')))
    const to = now()
    const found = await blobs.stat(key)
    if (!found) throw new Error('bytes that were just written are not there')
    return aheadMs(found.modifiedAt, from, to)
  } finally {
    await blobs.delete(key)
  }
}

const skewOf = (ms: number) => `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead' : 'behind'}`

function databaseFinding(ms: number): Finding | undefined {
  if (Math.abs(ms) <= MAX_SKEW_MS) return undefined
  return {
    status: 'warn',
    text: `the clock of the database is ${skewOf(ms)} of this server's`,
    fix: 'Synchronise the clocks, for instance with chrony. Leases of jobs go by the clock of the database.',
  }
}

/** Signed addresses begin by our clock and end by that of the store. */
function storeFinding({ blobs, config }: Deps, ms: number): Finding | undefined {
  if (Math.abs(ms) <= MAX_SKEW_MS) return undefined
  const text = `the clock of the store is ${skewOf(ms)} of this server's`
  const fix = 'Synchronise the clocks, for instance with chrony.'
  if (blobs.kind !== 's3') return { status: 'warn', text, fix }
  const isRefused = ms >= config.storage.s3.presign_ttl || -ms >= REFUSED_MS
  return isRefused
    ? { status: 'fail', text: `${text}: it refuses signed addresses`, fix }
    : { status: 'warn', text: `${text}: signed addresses end that much too early or too late`, fix }
}

/** This server's clock against those of the database and the store. */
export const clock: HealthCheck = {
  name: 'clock',
  async run(deps) {
    const [ofDatabase, ofStore] = await Promise.all([databaseAheadMs(deps), storeAheadMs(deps)])
    const findings = [databaseFinding(ofDatabase), storeFinding(deps, ofStore)].filter(
      (finding) => finding !== undefined,
    )
    if (findings.length > 0) return findings
    return { status: 'ok', text: 'the database, the store and this server agree on the time' }
  },
}
