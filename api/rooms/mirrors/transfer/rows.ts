import { and, asc, desc, eq, gt, lte, or, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { discardKeys, markPulling } from '../../../core/lfs/index.ts'
import { newId, type Db, type Tables, type Tx } from '../../../stores/db/index.ts'

export type TransferRow = Tables['transfers']['$inferSelect']
export type TransferPart = Tables['transfer_parts']['$inferSelect']

/** Parts begin at a multiple of it. */
export const BLOCK_BYTES = 1024 * 1024

/** Where a part begins in its file. */
export const offsetOf = ({ n }: Pick<TransferPart, 'n'>): number => (n - 1) * BLOCK_BYTES

/** A large file of a repo. */
export interface Wanted {
  repoId: string
  sha256: string
  sizeBytes: number
}

/** How long a process may be silent before another takes its transfer over. */
export const LEASE_MS = 15_000

const processIdOf = (_: Db) => newId()

/** The name of this process among those that transfer files. */
const holderOf = ({ db }: Pick<Ctx, 'db'>) => db.keep(processIdOf)

const leaseUntil = ({ now }: Pick<Ctx, 'now'>) => new Date(now().getTime() + LEASE_MS)

/**
 * Takes a file for this process, for somebody who waits for its bytes, and shows it as on its way until `until`. `busy`
 * while another transfer of it is alive.
 */
export const claimForReader = (ctx: Ctx, wanted: Wanted, until: Date): Promise<TransferRow | 'busy'> =>
  ctx.db.write(async (tx) => {
    const claimed = await tryClaim(tx, ctx, wanted)
    if (claimed !== 'busy') await markPulling(tx, wanted.repoId, [wanted.sha256], until)
    return claimed
  })

/**
 * Takes a file for this process. `busy` while another transfer of it is alive, `full` while as many files are on their way
 * as `pull.concurrency` allows; one whose bytes have all come no longer counts.
 */
export async function claimTransfer(ctx: Ctx, wanted: Wanted): Promise<TransferRow | 'busy' | 'full'> {
  const claimed = await ctx.db.write((tx) => tryClaim(tx, ctx, wanted))
  if (claimed === 'busy') return claimed
  // Asked after the claim is visible, so that of two that come at once one gives way, on Postgres too.
  const { q, t } = ctx.db
  const alive = await q
    .select({ id: t.transfers.id })
    .from(t.transfers)
    .where(and(gt(t.transfers.lease_until, ctx.now()), isNull(t.transfers.proven)))
    .orderBy(asc(t.transfers.claimed_at), asc(t.transfers.id))
    .limit(ctx.config.pull.concurrency)
  if (alive.some(({ id }) => id === claimed.id)) return claimed
  await releaseTransfer(ctx, claimed)
  return 'full'
}

async function tryClaim({ q, t }: Tx, ctx: Ctx, wanted: Wanted): Promise<TransferRow | 'busy'> {
  const { transfers: x } = t
  const { repoId, sha256, sizeBytes } = wanted
  const now = ctx.now()
  const held = { holder: holderOf(ctx), claimed_at: now, lease_until: leaseUntil(ctx) }
  const fresh = {
    id: newId(),
    size: sizeBytes,
    attempt: 1,
    created_at: now,
    wanted_until: null,
    proven: null,
  }
  const row = { repo_id: repoId, sha256, ...fresh, ...held }
  const [made] = await q.insert(x).values(row).onConflictDoNothing().returning()
  if (made) {
    // The last transfer ended, and linked the bytes, after the caller had looked for them.
    if (!(await isLinked({ q, t }, wanted))) return made
    await q.delete(x).where(isHeld(t, made))
    return 'busy'
  }
  const isFree = or(isNull(x.lease_until), lte(x.lease_until, now))
  const [taken] = await q
    .update(x)
    .set({ ...held, proven: null, attempt: sql`${x.attempt} + 1` })
    .where(and(eq(x.repo_id, repoId), eq(x.sha256, sha256), isFree))
    .returning()
  return taken ?? 'busy'
}

async function isLinked(
  { q, t }: Pick<Db, 'q' | 't'>,
  { repoId, sha256, sizeBytes }: Wanted,
): Promise<boolean> {
  const { lfs_links: l, lfs_objects: o } = t
  const isSame = and(eq(l.repo_id, repoId), eq(l.sha256, sha256), eq(o.size, sizeBytes))
  const found = await q.select({ size: o.size }).from(l).innerJoin(o, eq(o.sha256, l.sha256)).where(isSame)
  return found.length > 0
}

const isHeld = ({ transfers: x }: Tables, { repo_id, sha256, attempt }: TransferRow) =>
  and(eq(x.repo_id, repo_id), eq(x.sha256, sha256), eq(x.attempt, attempt))

/** Prolongs the lease; `false` when another process has the file by now. */
export async function renewTransfer(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  row: TransferRow,
  facts: { proven?: boolean } = {},
): Promise<boolean> {
  const kept = await tx.q
    .update(tx.t.transfers)
    .set({ lease_until: leaseUntil(ctx), ...facts })
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
  { offset, ...part }: { offset: number; key: string; size: number },
): Promise<boolean> {
  if (!(await renewTransfer(tx, ctx, row))) return false
  await tx.q
    .insert(tx.t.transfer_parts)
    .values({ repo_id: row.repo_id, sha256: row.sha256, n: offset / BLOCK_BYTES + 1, ...part })
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

/** The stored part that holds the byte at `offset`, and how many bytes are stored in all. */
export async function findPartAt(
  { q, t: { transfer_parts: p } }: Pick<Db, 'q' | 't'>,
  { repo_id, sha256 }: Pick<TransferRow, 'repo_id' | 'sha256'>,
  offset: number,
): Promise<{ part: TransferPart | undefined; storedBytes: number }> {
  const isOfFile = and(eq(p.repo_id, repo_id), eq(p.sha256, sha256))
  const [last] = await q
    .select()
    .from(p)
    .where(and(isOfFile, lte(p.n, Math.floor(offset / BLOCK_BYTES) + 1)))
    .orderBy(desc(p.n))
    .limit(1)
  const [sum] = await q
    .select({ bytes: sql<number>`coalesce(sum(${p.size}), 0)`.mapWith(Number) })
    .from(p)
    .where(isOfFile)
  const holds = last && offset < offsetOf(last) + last.size
  return { part: holds ? last : undefined, storedBytes: sum?.bytes ?? 0 }
}

/** The transfer of a file, where one is under way or was left. */
export async function findTransfer(
  { q, t: { transfers: x } }: Pick<Db, 'q' | 't'>,
  { repoId, sha256 }: Pick<Wanted, 'repoId' | 'sha256'>,
): Promise<TransferRow | undefined> {
  const [row] = await q
    .select()
    .from(x)
    .where(and(eq(x.repo_id, repoId), eq(x.sha256, sha256)))
  return row
}

/** Notes that readers wait for a file that another process fetches. */
export async function wantTransfer(
  { q, t: { transfers: x } }: Tx,
  { repoId, sha256 }: Pick<Wanted, 'repoId' | 'sha256'>,
  until: Date,
): Promise<void> {
  await q
    .update(x)
    .set({ wanted_until: until })
    .where(and(eq(x.repo_id, repoId), eq(x.sha256, sha256)))
}

/** How many processes receive files now. One that has been silent for half a lease no longer counts: it renews by quarters. */
export async function countHolders({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<number> {
  const { q, t } = db
  const rows = await q
    .selectDistinct({ holder: t.transfers.holder })
    .from(t.transfers)
    .where(
      and(gt(t.transfers.lease_until, new Date(now().getTime() + LEASE_MS / 2)), isNull(t.transfers.proven)),
    )
  return rows.length
}
