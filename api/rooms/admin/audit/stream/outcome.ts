import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../../stores/db/index.ts'
import type { Step } from './batch.ts'
import { STREAM, type StreamRow } from './row.ts'

const second = 1000
const minute = 60 * second

/** From one attempt to the next, as of webhooks; then every hour, for as long as it takes. */
const WAITS_MS = [30 * second, 2 * minute, 10 * minute]
const LONGEST_MS = 60 * minute

interface Made {
  stream: StreamRow
  now: Date
}

/** Writes down that a step is over. False when the stream was changed meanwhile: then nothing is, and it is sent again. */
export async function moveOn(tx: Tx, { stream, now }: Made, { last, lost, batch }: Step): Promise<boolean> {
  return change(tx, stream, {
    sent_seq: last,
    lost: stream.lost + lost,
    ...(batch && { sent_at: now, failures: 0, failing_since: null, next_attempt_at: null, error: null }),
  })
}

/** Writes down that a batch was not taken, and when it is sent again. */
export async function holdBack(tx: Tx, { stream, now }: Made, error: string): Promise<boolean> {
  const { failures, failing_since } = stream
  return change(tx, stream, {
    failures: failures + 1,
    failing_since: failing_since ?? now,
    next_attempt_at: new Date(now.getTime() + (WAITS_MS[failures] ?? LONGEST_MS)),
    error,
  })
}

async function change({ q, t: { audit_stream } }: Tx, { revision }: StreamRow, set: Partial<StreamRow>) {
  const changed = await q
    .update(audit_stream)
    .set(set)
    .where(and(eq(audit_stream.id, STREAM), eq(audit_stream.revision, revision)))
    .returning({ id: audit_stream.id })
  return changed.length > 0
}
