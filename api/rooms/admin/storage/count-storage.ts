import { lt } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../../../core/ctx.ts'
import { defineJob } from '../../../core/jobs/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { countStored } from '../overview.ts'
import { dayOf, KEPT_DAYS } from './days.ts'
import { largestNamespaces, largestRepos, type Held } from './largest.ts'

/** Not at the full hour, when other jobs begin. */
export const STORAGE_SCHEDULE = '41 * * * *'

const TOP = 20

async function amountsOf(deps: Deps, at: Date) {
  const { lfs, git, chunks, uploads } = await countStored(deps, at)
  return {
    lfs_bytes: lfs.bytes,
    git_bytes: git.bytes + git.retired_bytes,
    chunk_bytes: chunks.bytes,
    upload_bytes: uploads.bytes,
    saved_bytes: lfs.saved_bytes,
  }
}

async function replaceTops({ q, t: { storage_tops } }: Tx, repos: Held[], namespaces: Held[]) {
  const rows = (kind: 'repo' | 'namespace', held: Held[]) =>
    held.map(({ id, bytes }, rank) => ({ kind, rank, subject_id: id, bytes }))
  const all = [...rows('repo', repos), ...rows('namespace', namespaces)]
  await q.delete(storage_tops)
  if (all.length > 0) await q.insert(storage_tops).values(all)
}

/** Counts what is stored today, and which repos and namespaces are the largest. The last count of a day stands for it. */
export const storageCount = defineJob({
  kind: 'storage.count',
  input: z.strictObject({}),
  maxAttempts: 3,
  title: () => 'Count what is stored',
  async run(ctx, _input, job) {
    const counted_at = ctx.now()
    const row = { counted_at, ...(await amountsOf(ctx, counted_at)) }
    const repos = await largestRepos(ctx.db, TOP, job.signal)
    const namespaces = await largestNamespaces(ctx.db, TOP, job.signal)
    await job.write(async (tx) => {
      const { storage_days: d } = tx.t
      await tx.q
        .insert(d)
        .values({ day: dayOf(counted_at), ...row })
        .onConflictDoUpdate({ target: d.day, set: row })
      await tx.q.delete(d).where(lt(d.day, dayOf(counted_at, 1 - KEPT_DAYS)))
      await replaceTops(tx, repos, namespaces)
    })
    return { repos: repos.length, namespaces: namespaces.length }
  },
})
