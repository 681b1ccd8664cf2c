import { z } from 'zod'
import type { Ctx } from '../../../../core/ctx.ts'
import { sealNew } from '../../../../core/events/index.ts'
import { defineJob, type JobKind } from '../../../../core/jobs/index.ts'
import type { Lookup } from '../../../../platform/net/index.ts'
import { nextStep } from './batch.ts'
import { holdBack, moveOn } from './outcome.ts'
import { findStream, type StreamRow } from './row.ts'
import { sendBatch } from './send.ts'

/** Whether something may be sent at the moment. */
export const isOpen = ({ enabled, next_attempt_at }: StreamRow, now: Date): boolean =>
  enabled && (next_attempt_at === null || next_attempt_at <= now)

/**
 * Sends what the audit log has and the stream was not sent yet, batch by batch in the order of the chain, until nothing is
 * left or a batch is not taken. Rows are sealed first, so that each has its number. A worker that dies after sending has the
 * batch sent again. One runs at a time, since all are queued under one key.
 *
 * @param lookup stands in for the name server
 */
export function auditStream(lookup?: Lookup): JobKind<Record<string, never>> {
  return defineJob({
    kind: 'audit.stream',
    input: z.strictObject({}),
    maxAttempts: 3,
    title: () => 'Send the audit log',
    async run(ctx, _, job) {
      let sent = 0
      for (;;) {
        await sealNew(ctx, job)
        const stream = await findStream(ctx.db)
        if (!stream || !isOpen(stream, ctx.now())) return { sent }
        const step = await nextStep(ctx, stream.sent_seq)
        if (!step) return { sent }
        const made = (): { stream: StreamRow; now: Date } => ({ stream, now: ctx.now() })
        const error = step.batch && (await sendBatch(ctx, stream, step.batch, job.signal, lookup)).error
        if (error !== undefined) await job.write((tx) => holdBack(tx, made(), error))
        else if (await job.write((tx) => moveOn(tx, made(), step)))
          sent += step.last - stream.sent_seq - step.lost
        report(ctx, stream, { error, lost: step.lost })
      }
    },
  })
}

function report(
  { log }: Ctx,
  { failures }: StreamRow,
  { error, lost }: { error: string | undefined; lost: number },
): void {
  if (error !== undefined && failures === 0) log.warn({ error }, 'the stream of the audit log is not taken')
  if (error === undefined && lost > 0)
    log.error({ rows: lost }, 'rows of the audit log expired before they were sent')
}
