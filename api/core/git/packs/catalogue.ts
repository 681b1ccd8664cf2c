import { and, count, eq, inArray, ne, sql, sum } from 'drizzle-orm'
import { newId, type Db, type Tx } from '../../../stores/db/index.ts'
import type { Git } from '../git.ts'
import type { PackRow } from './pack-row.ts'
import type { FinishedPack } from './finished-pack.ts'
import type { Reader } from '../repo-state.ts'

/** How a pack came to be. */
export type PackSource = 'insert' | 'receive' | 'compact' | 'gc'

/** Writes the `pending` row first, so that a crash leaves nothing in the store that no row names. */
export async function addPendingPack(
  db: Db,
  { repoId, pack, source, at }: { repoId: string; pack: FinishedPack; source: PackSource; at: Date },
): Promise<PackRow> {
  const row: PackRow = {
    id: newId(),
    repoId,
    sha1: pack.sha1.toString('hex'),
    objects: pack.objects,
    packBytes: pack.sizeBytes,
    idxBytes: pack.index.length,
  }
  await insertPending(db, row, { source, at })
  return row
}

function insertPending(
  db: Db,
  row: PackRow,
  { source, at }: { source: PackSource; at: Date },
): Promise<unknown> {
  return db.write(({ q, t }) =>
    q.insert(t.git_packs).values({
      id: row.id,
      repo_id: row.repoId,
      state: 'pending',
      source,
      sha1: row.sha1,
      objects: row.objects,
      pack_bytes: row.packBytes,
      idx_bytes: row.idxBytes,
      created_at: at,
    }),
  )
}

/** The `pending` row of a copy of a pack. */
export async function addPendingCopy(
  db: Db,
  old: PackRow,
  { source, at }: { source: PackSource; at: Date },
): Promise<PackRow> {
  const row = { ...old, id: newId() }
  await insertPending(db, row, { source, at })
  return row
}

/** Makes a stored pack part of its repo. Throws when the row is no longer `pending` (swept as an orphan meanwhile). */
export async function makeLive({ q, t: { git_packs, git_repos } }: Tx, row: PackRow): Promise<void> {
  const live = await q
    .update(git_packs)
    .set({ state: 'live' })
    .where(and(eq(git_packs.id, row.id), eq(git_packs.state, 'pending')))
    .returning({ id: git_packs.id })
  if (live.length === 0) throw new Error(`pack ${row.id} is no longer pending`)
  await q
    .update(git_repos)
    .set({ pack_bytes: sql`${git_repos.pack_bytes} + ${row.packBytes + row.idxBytes}` })
    .where(eq(git_repos.repo_id, row.repoId))
}

/**
 * Retires live packs that others replace; `false` when one of them is no longer live, and the caller must give the
 * transaction up. On Postgres the second transaction waits for the rows, and finds them retired.
 */
export async function retire(
  { q, t: { git_packs, git_repos } }: Tx,
  rows: PackRow[],
  at: Date,
): Promise<boolean> {
  const first = rows[0]
  if (!first) return true
  const ids = rows.map(({ id }) => id)
  const retired = await q
    .update(git_packs)
    .set({ state: 'retired', retired_at: at })
    .where(and(inArray(git_packs.id, ids), eq(git_packs.state, 'live')))
    .returning({ id: git_packs.id })
  if (retired.length !== rows.length) return false
  const bytes = rows.reduce((sum, row) => sum + row.packBytes + row.idxBytes, 0)
  await q
    .update(git_repos)
    .set({ pack_bytes: sql`${git_repos.pack_bytes} - ${bytes}` })
    .where(eq(git_repos.repo_id, first.repoId))
  return true
}

/** What decides about compaction: live packs, their objects, and how many of these lie in packs as they came. */
export async function sumLivePacks(
  { q, t: { git_packs: p } }: Reader,
  repoId: string,
): Promise<{ packs: number; objects: number; asTheyCame: number }> {
  const came = sql`case when ${p.source} in ('insert', 'receive') then ${p.objects} else 0 end`
  const [row] = await q
    .select({
      packs: count(),
      objects: sum(p.objects).mapWith(Number),
      asTheyCame: sum(came).mapWith(Number),
    })
    .from(p)
    .where(and(eq(p.repo_id, repoId), eq(p.state, 'live')))
  return { packs: row?.packs ?? 0, objects: row?.objects ?? 0, asTheyCame: row?.asTheyCame ?? 0 }
}

/** Discards a pack that is not live: row, then bytes, then row, so that no row ever names absent bytes. */
export async function giveUp(
  git: Git,
  row: Pick<PackRow, 'id' | 'repoId'>,
  write = writeOf(git),
): Promise<void> {
  const mine = await write(({ q, t: { git_packs } }) =>
    q
      .update(git_packs)
      .set({ state: 'deleting' })
      .where(and(eq(git_packs.id, row.id), ne(git_packs.state, 'live')))
      .returning({ id: git_packs.id }),
  )
  if (mine.length === 0) return
  await git.store.delete(row)
  await write(({ q, t: { git_packs } }) => q.delete(git_packs).where(eq(git_packs.id, row.id)))
}

/** How packs' rows are changed: a plain transaction, or a job's, which is void once its attempt is over. */
export type Write = <T>(change: (tx: Tx) => Promise<T>) => Promise<T>

/** Plain transactions of the engine's database. */
export function writeOf(git: Git): Write {
  return (change) => git.deps.db.write(change)
}
