import { and, eq, sql, sum } from 'drizzle-orm'
import type { CheckOptions, Finding } from '../../check.ts'
import type { Deps } from '../../ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import type { Reader } from '../repo-state.ts'

/** Bytes of a repo's live packs with their indexes. */
async function packBytes({ q, t: { git_packs: p } }: Reader, repoId: string): Promise<number> {
  const isLive = and(eq(p.repo_id, repoId), eq(p.state, 'live'))
  const [row] = await q
    .select({ pack: sum(p.pack_bytes).mapWith(Number), idx: sum(p.idx_bytes).mapWith(Number) })
    .from(p)
    .where(isLive)
  return (row?.pack ?? 0) + (row?.idx ?? 0)
}

async function writtenBytes({ q, t: { git_repos } }: Reader, repoId: string): Promise<number | undefined> {
  const [row] = await q
    .select({ bytes: git_repos.pack_bytes })
    .from(git_repos)
    .where(eq(git_repos.repo_id, repoId))
  return row?.bytes
}

/** Each change of packs changes the row of their repo too. The first update waits for such changes, the second counts. */
async function recount(tx: Tx, repoId: string): Promise<void> {
  const { git_repos } = tx.t
  await tx.q
    .update(git_repos)
    .set({ pack_bytes: sql`${git_repos.pack_bytes}` })
    .where(eq(git_repos.repo_id, repoId))
  await tx.q
    .update(git_repos)
    .set({ pack_bytes: await packBytes(tx, repoId) })
    .where(eq(git_repos.repo_id, repoId))
}

/** `git_repos.pack_bytes` is the sum over the live packs. */
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
    message: `the packs have ${counted} bytes, the repo's row says ${written}`,
    repo_id: repoId,
    ...(repair ? { repaired: true } : {}),
  }
}
