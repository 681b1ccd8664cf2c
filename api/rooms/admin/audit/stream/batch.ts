import type { Ctx } from '../../../../core/ctx.ts'
import { auditLine, lastSeal, sealedAfter } from '../../../../core/events/index.ts'
import type { Batch } from './send.ts'

const MAX_ROWS = 500
const MAX_BYTES = 1024 * 1024

/** The next step of a stream. */
export interface Step {
  /** Number of the last row of it. */
  last: number
  /** Rows between the former step and the end of this one that are gone. */
  lost: number
  /** Absent when all rows of the step are gone. */
  batch?: Batch
}

/** What comes after the number `after` of the chain, in its order; `undefined` when nothing does. One row may be larger than a batch. */
export async function nextStep(ctx: Pick<Ctx, 'db'>, after: number): Promise<Step | undefined> {
  const head = await lastSeal(ctx.db)
  const rows = await sealedAfter(ctx.db, after, MAX_ROWS)
  const first = rows[0]?.seal.seq
  if (first === undefined)
    return head && head.seq > after ? { last: head.seq, lost: head.seq - after } : undefined
  const lines: string[] = []
  let [bytes, last] = [0, after]
  for (const row of rows) {
    const line = auditLine(row)
    bytes += Buffer.byteLength(line)
    if (lines.length > 0 && bytes > MAX_BYTES) break
    lines.push(line)
    last = row.seal.seq
  }
  return {
    last,
    lost: last - after - lines.length,
    batch: { key: `audit-${first}-${last}`, body: lines.join('') },
  }
}
