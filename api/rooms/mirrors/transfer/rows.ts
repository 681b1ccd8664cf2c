import { and, asc, eq, gt, lte, or, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { discardKeys } from '../../../core/lfs/index.ts'
import { newId, type Db, type Tables, type Tx } from '../../../stores/db/index.ts'

export type TransferRow = Tables['transfers']['$inferSelect']
export type TransferPart = Tables['transfer_parts']['$inferSelect']

/** A large file of a repo. */
export interface Wanted {
  repoId: string
  sha256: string
  sizeBytes: number
}

/** How long a process may be silent before another takes its transfer over. */
export const LEASE_MS = 60_000

const processIdOf = (_: Db) => newId()

/** The name of this process among those that transfer files. */
const holderOf = ({ db }: Pick<Ctx, 'db'>) => db.keep(processIdOf)

const leaseUntil = ({ now }: Pick<Ctx, 'now'>) => new Date(now().getTime() + LEASE_MS)

/**
 * Takes a file for this process. `busy` while another transfer of it is alive, `full` while as many files are on their way
 * as `pull.concurrency` allows.
 */
export async function claimTransfer(ctx: Ctx, wanted: Wanted): Promise<TransferRow | 'busy' | 'full'> {
  const claimed = await ctx.db.write((tx) => tryClaim(tx, ctx, wanted))
  if (claimed === 'busy') return claimed
  // Asked after the claim is visible, so that of two that come at once one gives way, on Postgres too.
  const { q, t } = ctx.db
  const alive = await q
    .select({ id: t.transfers.id })
    .from(t.transfers)
    .where(gt(t.transfers.lease_until, ctx.now()))
    .orderBy(asc(t.transfers.claimed_at), asc(t.transfers.id))
    .limit(ctx.config.pull.concurrency)
  if (alive.some(({ id }) => id === claimed.id)) return claimed
  await releaseTransfer(ctx, claimed)
  return 'full'
}

async function tryClaim(
  { q, t: { transfers: x } }: Tx,
  ctx: Ctx,
  { repoId, sha256, sizeBytes }: Wanted,
): Promise<TransferRow | 'busy'> {
  const now = ctx.now()
  const held = { holder: holderOf(ctx), claimed_at: now, lease_until: leaseUntil(ctx) }
  const row = { repo_id: repoId, sha256, id: newId(), size: sizeBytes, attempt: 1, created_at: now, ...held }
  const [made] = await q.insert(x).values(row).onConflictDoNothing().returning()
  if (made) return made
  const isFree = or(isNull(x.lease_until), lte(x.lease_until, now))
  const [taken] = await q
    .update(x)
    .set({ ...held, attempt: sql`${x.attempt} + 1` })
    .where(and(eq(x.repo_id, repoId), eq(x.sha256, sha256), isFree))
    .returning()
  return taken ?? 'busy'
}

const isHeld = ({ transfers: x }: Tables, { repo_id, sha256, attempt }: TransferRow) =>
  and(eq(x.repo_id, repo_id), eq(x.sha256, sha256), eq(x.attempt, attempt))

/** Prolongs the lease; `false` when another process has the file by now. */
export async function renewTransfer(tx: Tx, ctx: Pick<Ctx, 'now'>, row: TransferRow): Promise<boolean> {
  const kept = await tx.q
    .update(tx.t.transfers)
    .set({ lease_until: leaseUntil(ctx) })
    .where(isHeld(tx.t, row))
    .returning({ id: tx.t.transfers.id })
  return kept.length > 0
}

/** Leaves the file, with the parts it has, to the next who wants it. */
export async function releaseTransfer(ctx: Pick<Ctx, 'db'>, row: TransferRow): Promise<void> {
  await ctx.db.write(({ q, t }) =>
    q.update(t.transfers).set({ lease_until: null, holder: null }).where(isHeld(t, row)),
  )
}

/** The parts that are here, in order. */
export async function listParts(
  { q, t: { transfer_parts: p } }: Pick<Db, 'q' | 't'>,
  { repo_id, sha256 }: Pick<TransferRow, 'repo_id' | 'sha256'>,
): Promise<TransferPart[]> {
  return q
    .select()
    .from(p)
    .where(and(eq(p.repo_id, repo_id), eq(p.sha256, sha256)))
    .orderBy(asc(p.n))
}

/** Notes a part whose bytes are stored. `false` when another process has the file by now. */
export async function addPart(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  row: TransferRow,
  part: { n: number; key: string; size: number },
): Promise<boolean> {
  if (!(await renewTransfer(tx, ctx, row))) return false
  await tx.q
    .insert(tx.t.transfer_parts)
    .values({ repo_id: row.repo_id, sha256: row.sha256, ...part })
    .onConflictDoNothing()
  return true
}

/**
 * Ends a transfer: its row, its parts. Answers the keys of their bytes, to be deleted once the transaction is through;
 * `undefined` when another process has the file by now.
 */
export async function endTransfer(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  row: TransferRow,
): Promise<string[] | undefined> {
  const { q, t } = tx
  const gone = await q.delete(t.transfers).where(isHeld(t, row)).returning({ id: t.transfers.id })
  return gone.length === 0 ? undefined : dropParts(tx, ctx, row)
}

/** Drops the parts of a file; answers the keys of their bytes. */
export async function dropParts(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  { repo_id, sha256 }: Pick<TransferRow, 'repo_id' | 'sha256'>,
): Promise<string[]> {
  const { transfer_parts: p } = tx.t
  const parts = await tx.q
    .delete(p)
    .where(and(eq(p.repo_id, repo_id), eq(p.sha256, sha256)))
    .returning({ key: p.key })
  const keys = parts.map(({ key }) => key)
  await discardKeys(tx, ctx, keys)
  return keys
}

/** How many processes transfer files now. */
export async function countHolders({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const { q, t } = db
  const rows = await q
    .selectDistinct({ holder: t.transfers.holder })
    .from(t.transfers)
    .where(gt(t.transfers.lease_until, now()))
  return rows.length
}
