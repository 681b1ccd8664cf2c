import { and, eq, sql, sum } from 'drizzle-orm'
import type { CheckOptions, Finding } from '../../check.ts'
import type { Deps } from '../../ctx.ts'
import type { Tx } from '../../db/index.ts'
import type { Reader } from '../repo-state.ts'

/** Bytes of a Repo's live packs with their indexes. */
async function packBytes({ q, t: { git_packs: p } }: Reader, repoId: string): Promise<number> {
  const isLive = and(eq(p.repo_id, repoId), eq(p.state, 'live'))
  const [row] = await q
    .select({ pack: sum(p.pack_bytes).mapWith(Number), idx: sum(p.idx_bytes).mapWith(Number) })
    .from(p)
    .where(isLive)
  return (row?.pack ?? 0) + (row?.idx ?? 0)
}

async function writtenBytes({ q, t: { repos } }: Reader, repoId: string): Promise<number | undefined> {
  const [row] = await q.select({ bytes: repos.git_bytes }).from(repos).where(eq(repos.id, repoId))
  return row?.bytes
}

/** Whoever changes packs changes the row of their Repo too, and waits for its holder. */
async function recount(tx: Tx, repoId: string): Promise<void> {
  const { repos } = tx.t
  await tx.q
    .update(repos)
    .set({ git_bytes: sql`${repos.git_bytes}` })
    .where(eq(repos.id, repoId))
  await tx.q
    .update(repos)
    .set({ git_bytes: await packBytes(tx, repoId) })
    .where(eq(repos.id, repoId))
}

/** `git_bytes` is the sum over the live packs. */
export async function* checkBytes(
  { db }: Deps,
  { repair }: CheckOptions,
  repoId: string,
): AsyncGenerator<Finding> {
  const [written, counted] = await db.snapshot(async (tx) => [
    await writtenBytes(tx, repoId),
    await packBytes(tx, repoId),
  ])
  if (written === undefined || written === counted) return
  if (repair) await db.write((tx) => recount(tx, repoId))
  yield {
    check: 'git.bytes',
    severity: 'error',
    message: `the packs have ${counted} bytes, the Repo's row says ${written}`,
    repo_id: repoId,
    ...(repair ? { repaired: true } : {}),
  }
}
