import { and, eq, isNotNull, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { forgetRepo } from '../../../core/git/index.ts'
import { defineJob, enqueue } from '../../../core/jobs/index.ts'
import { unlinkRepo } from '../../../core/lfs/index.ts'
import type { Sweep } from '../../../core/sweep.ts'
import { auditRepo } from '../audit.ts'
import { findById } from '../queries.ts'

const input = z.strictObject({
  repo_id: z.string(),
  /** Which deletion; a repo restored since is left alone, also when it was deleted again. */
  deleted_at: z.iso.datetime(),
  name: z.string(),
})

/** From here on a restore is refused. False when the repo is gone, restored, or deleted again. */
async function beginPurge({ q, t: { repos } }: Tx, id: string, deletedAt: Date, now: Date): Promise<boolean> {
  const rows = await q
    .update(repos)
    .set({ purging_at: now })
    .where(and(eq(repos.id, id), eq(repos.deleted_at, deletedAt)))
    .returning({ id: repos.id })
  return rows.length > 0
}

async function dropRows(tx: Tx, ctx: Ctx, id: string): Promise<void> {
  const { q, t } = tx
  const repo = await findById(tx, id, '')
  await q.delete(t.repo_tags).where(eq(t.repo_tags.repo_id, id))
  await q.delete(t.collaborators).where(eq(t.collaborators.repo_id, id))
  await q.delete(t.likes).where(eq(t.likes.repo_id, id))
  await q.delete(t.access_requests).where(eq(t.access_requests.repo_id, id))
  await q.delete(t.repo_redirects).where(eq(t.repo_redirects.repo_id, id))
  await q.delete(t.repos).where(eq(t.repos.id, id))
  if (repo) await auditRepo(tx, ctx, 'repo.purge', repo)
}

/**
 * Removes a deleted repo for good: large-file links, refs, history, packs, rows. Each step may be repeated
 * (reliability.md §11.5); the bytes go with the next `gc`.
 */
export const repoPurge = defineJob({
  kind: 'repo.purge',
  input,
  maxAttempts: 5,
  title: ({ name }) => `Remove the deleted repo ${name}`,
  async run(ctx, { repo_id: id, deleted_at }, job) {
    const isDue = await job.write((tx) => beginPurge(tx, id, new Date(deleted_at), ctx.now()))
    if (!isDue) return { purged: false }
    await job.write((tx) => unlinkRepo(tx, id))
    while (!(await job.write((tx) => forgetRepo(tx, id, ctx.now())))) job.signal.throwIfAborted()
    await job.write((tx) => dropRows(tx, ctx, id))
    return { purged: true }
  },
})

const strayAfterMs = 24 * 3_600_000

/**
 * Part of `gc`: queues the purge of what should be gone, such as a repo whose purge was cancelled or whose creation
 * died half-way.
 */
export const strayRepos: Sweep = {
  name: 'repos',
  async run(ctx, { dryRun, write }) {
    const { q, t } = ctx.db
    const { repos } = t
    const overdue = new Date(ctx.now().getTime() - ctx.config.repos.restore_window - strayAfterMs)
    const rows = await q
      .select({ id: repos.id, name: repos.name, deletedAt: repos.deleted_at })
      .from(repos)
      .where(and(isNotNull(repos.deleted_at), lt(repos.deleted_at, overdue)))
      .limit(1000)
    for (const { id, name, deletedAt } of dryRun ? [] : rows) {
      const deleted_at = (deletedAt ?? ctx.now()).toISOString()
      const wanted = { repo_id: id, deleted_at, name }
      await write((tx) =>
        enqueue(tx, ctx, repoPurge, wanted, { repoId: id, dedupKey: `${id}/${deleted_at}` }),
      )
    }
    return { overdue: rows.length }
  },
}
