import { and, eq, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { enqueueAttempt } from './queue.ts'
import { TEST } from './redeliver.ts'
import type { DeliveryRow } from './queries.ts'
import type { Outcome } from './send.ts'

const seconds = (n: number) => n * 1000
const minutes = (n: number) => seconds(60) * n
const hours = (n: number) => minutes(60) * n

/** From one attempt to the next (native-api.md §5). */
const WAITS_MS = [seconds(30), minutes(2), minutes(10), hours(1), hours(6), hours(24)]
const OFF_AFTER_MS = hours(3 * 24)

const underWay = ['queued', 'delivering', 'retrying'] as const

/** Marks the `n`-th attempt as being made, and what is sent; false when that is over, or the delivery gone. */
export async function begin(
  { q, t: { webhook_deliveries: d } }: Tx,
  { id, n, request }: { id: string; n: number; request: NonNullable<DeliveryRow['request']> },
): Promise<boolean> {
  const isAgain = and(eq(d.attempts, n), eq(d.status, 'delivering'))
  const isNext = and(eq(d.attempts, n - 1), inArray(d.status, ['queued', 'retrying']))
  const begun = await q
    .update(d)
    .set({ status: 'delivering', attempts: n, next_attempt_at: null, request })
    .where(and(eq(d.id, id), or(isAgain, isNext)))
    .returning({ id: d.id })
  return begun.length > 0
}

/** Ends a delivery that is not to be sent. */
export async function drop(
  { q, t: { webhook_deliveries: d } }: Tx,
  id: string,
  error: string,
): Promise<void> {
  await q
    .update(d)
    .set({ status: 'failed', error, next_attempt_at: null })
    .where(and(eq(d.id, id), inArray(d.status, [...underWay])))
}

interface Made {
  delivery: DeliveryRow
  n: number
  outcome: Outcome
}

/** Writes down what came of the `n`-th attempt, and queues the next where there is to be one. */
export async function record(
  tx: Tx,
  ctx: Ctx,
  { delivery: { id, event, webhook_id }, n, outcome }: Made,
): Promise<DeliveryRow['status']> {
  const { webhook_deliveries: d, webhooks } = tx.t
  const response = 'response' in outcome ? outcome.response : null
  const isDone = response !== null && response.status >= 200 && response.status < 300
  const wait = isDone || event === TEST || isHopeless(outcome) ? undefined : WAITS_MS[n - 1]
  const nextAt = wait === undefined ? null : new Date(ctx.now().getTime() + wait)
  const status = isDone ? 'succeeded' : nextAt ? 'retrying' : 'failed'
  await tx.q
    .update(d)
    .set({ status, response, error: isDone ? null : errorOf(outcome), next_attempt_at: nextAt })
    .where(eq(d.id, id))
  if (nextAt) await enqueueAttempt(tx, ctx, { id, event, attempt: n + 1 }, nextAt)
  if (isDone)
    await tx.q
      .update(webhooks)
      .set({ failing_since: null })
      .where(and(eq(webhooks.id, webhook_id), isNotNull(webhooks.failing_since)))
  else if (event !== TEST) await countFailure(tx, webhook_id, ctx.now())
  return status
}

/** A webhook that has done nothing but fail for three days is switched off. */
async function countFailure({ q, t: { webhooks } }: Tx, id: string, now: Date): Promise<void> {
  const since = sql`coalesce(${webhooks.failing_since}, ${sql.param(now, webhooks.failing_since)})`
  await q.update(webhooks).set({ failing_since: since }).where(eq(webhooks.id, id))
  const longAgo = new Date(now.getTime() - OFF_AFTER_MS)
  await q
    .update(webhooks)
    .set({ active: false })
    .where(and(eq(webhooks.id, id), lte(webhooks.failing_since, longAgo)))
}

/** The same address would be refused again. */
const isHopeless = (outcome: Outcome) =>
  'fault' in outcome && (outcome.fault === 'blocked' || outcome.fault === 'invalid-url')

const errorOf = (outcome: Outcome) =>
  'fault' in outcome ? outcome.message : `The answer was ${outcome.response.status}, not 2xx.`
