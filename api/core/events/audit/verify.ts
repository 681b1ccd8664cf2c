import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Ctx } from '../../ctx.ts'
import { Turns } from '../../../platform/flow/index.ts'
import { KEPT_MS } from './expire.ts'
import { NO_HASH, sealOf, type StoredEvent } from './chain.ts'
import { lastSeal, lateFor, unsealed, type Seal } from './seal.ts'
import { spansOf } from './spans.ts'

/** Something that is wrong with the audit. */
export interface AuditFault {
  kind: 'changed' | 'removed' | 'inserted'
  /** Its place in the chain; an inserted row has none. */
  seq?: number
  /** Id of the row; a row whose seal is gone too has none. */
  id?: string
}

/** What a look at the whole chain found. */
export interface ChainReport {
  /** Rows whose seal was checked. */
  checked: number
  /** New rows that the next seal will cover. */
  unsealed: number
  head?: { seq: number; hash: string; at: Date }
  /** The first `MAX_FAULTS` faults. */
  faults: AuditFault[]
  /** Of all faults. */
  faultCount: number
}

/** A seal that was noted down elsewhere. */
export interface KnownSeal {
  seq: number
  hash: string
}

/** How a seal is written down: `seq:hash`. */
export const SEAL_TEXT = /^[1-9]\d{0,14}:[0-9a-f]{64}$/

/** Reads a seal that was noted down. Throws for any other text. */
export function parseSeal(text: string): KnownSeal {
  if (!SEAL_TEXT.test(text)) throw new TypeError(`"${text}" is not the number and hash of a seal: 12:abc…`)
  const [seq = '', hash = ''] = text.split(':')
  return { seq: Number(seq), hash }
}

const BATCH = 1000
const MAX_FAULTS = 20

class Report {
  readonly faults: AuditFault[] = []
  faultCount = 0
  checked = 0

  add(fault: AuditFault): void {
    this.faultCount++
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault)
  }
}

/**
 * Checks every seal of the audit, oldest first, a batch at a time. `known` must be a seal of this chain: it finds rows that
 * were cut off at the end, or a chain that was made again. Callers decide who may ask: instance admins.
 */
export async function verifyAudit(ctx: Ctx, known?: KnownSeal): Promise<ChainReport> {
  const report = new Report()
  const head = await lastSeal(ctx.db)
  if (known && (head?.seq ?? 0) < known.seq) report.add({ kind: 'removed', seq: known.seq })
  let last: Seal | undefined
  for await (const { seal, row } of sealedRows(ctx)) {
    checkPlace(ctx, report, last, seal, row)
    if (row) checkSeal(report, last, seal, row)
    if (known && seal.seq === known.seq && seal.hash !== known.hash)
      report.add({ kind: 'changed', seq: seal.seq, id: seal.audit_id })
    last = seal
  }
  await findInserted(ctx, report, head)
  return {
    checked: report.checked,
    unsealed: await countUnsealed(ctx, head),
    ...(head && { head: { seq: head.seq, hash: head.hash, at: head.at } }),
    faults: report.faults,
    faultCount: report.faultCount,
  }
}

async function* sealedRows(ctx: Ctx): AsyncGenerator<{ seal: Seal; row: StoredEvent | null }> {
  const { db } = ctx
  const { audit, audit_seals } = db.t
  const turns = new Turns(ctx)
  for (let after = 0; ;) {
    await turns.next()
    const found = await db.q
      .select({ seal: audit_seals, row: audit })
      .from(audit_seals)
      .leftJoin(audit, eq(audit.id, audit_seals.audit_id))
      .where(gt(audit_seals.seq, after))
      .orderBy(asc(audit_seals.seq))
      .limit(BATCH)
    yield* found
    const end = found.at(-1)
    if (!end || found.length < BATCH) return
    after = end.seal.seq
  }
}

/** Every number is there, and so is its row; only the expiry takes rows, from the oldest on, and leaves the last seal. */
function checkPlace(
  { now }: Ctx,
  report: Report,
  last: Seal | undefined,
  seal: Seal,
  row: StoredEvent | null,
): void {
  const isFirst = last === undefined
  const isExpired = seal.at.getTime() < now().getTime() - KEPT_MS
  const isAnchor = isFirst && row === null && isExpired
  if (!isAnchor && seal.seq !== (last?.seq ?? 0) + 1)
    report.add({ kind: 'removed', seq: (last?.seq ?? 0) + 1 })
  if (row === null && !isAnchor) report.add({ kind: 'removed', seq: seal.seq, id: seal.audit_id })
}

function checkSeal(report: Report, last: Seal | undefined, seal: Seal, row: StoredEvent): void {
  report.checked++
  const isLinked = seal.seq === (last?.seq ?? 0) + 1
  if (isLinked && sealOf(last?.hash ?? NO_HASH, seal.seq, row) !== seal.hash)
    report.add({ kind: 'changed', seq: seal.seq, id: row.id })
}

/** Rows without a seal that are too old to be waiting for one. */
async function findInserted(ctx: Ctx, report: Report, head: Seal | undefined): Promise<void> {
  const late = lateFor(head)
  if (!late) return
  const { audit, audit_seals } = ctx.db.t
  for await (const span of spansOf(ctx)) {
    const found = await ctx.db.q
      .select({ id: audit.id })
      .from(audit)
      .leftJoin(audit_seals, eq(audit_seals.audit_id, audit.id))
      .where(and(span, isNull(audit_seals.seq), lt(audit.at, late)))
      .orderBy(asc(audit.id))
    for (const { id } of found) report.add({ kind: 'inserted', id })
  }
}

/** Rows that the next seal covers, after the newest one. */
export async function countUnsealed({ db }: Pick<Ctx, 'db'>, head: Seal | undefined): Promise<number> {
  const { audit, audit_seals } = db.t
  const waiting = db.q
    .select({ id: audit.id })
    .from(audit)
    .leftJoin(audit_seals, eq(audit_seals.audit_id, audit.id))
    .where(unsealed(db, lateFor(head)))
  return db.q.$count(waiting.as('waiting'))
}
