import { and, asc, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { z } from 'zod'
import { system } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { defineJob, enqueue, type RunningJob } from '../../core/jobs/index.ts'
import type { Db } from '../../stores/db/index.ts'
import { forgetIndex, recordIndexFailure } from '../repos/index.ts'
import { INDEX_VERSION, indexRepo } from './index-job.ts'

const PAGE = 100
/** Repos read at once. */
const LANES = 2

/**
 * Makes the metadata of every repo that has it from an older version of the rules, or none. What is done is noted with each
 * repo, so that a run that ends early is continued by the next.
 */
export const repoReindex = defineJob({
  kind: 'repo.reindex',
  maxAttempts: 5,
  input: z.object({}),
  title: () => 'Read what the files of all repos say',
  async run(ctx, _input, job) {
    let [done, failed] = [0, 0]
    const total = await ctx.db.q.$count(
      ctx.db.t.repo_heads,
      lt(ctx.db.t.repo_heads.index_version, INDEX_VERSION),
    )
    for (;;) {
      const ids = await listStale(ctx.db)
      if (ids.length === 0) return { done, failed }
      for (let at = 0; at < ids.length; at += LANES) {
        job.signal.throwIfAborted()
        const outcomes = await Promise.all(ids.slice(at, at + LANES).map((id) => reindex(ctx, id, job)))
        failed += outcomes.filter((outcome) => outcome === 'failed').length
        done += outcomes.length
        await job.progress(done, Math.max(total, done))
      }
    }
  },
})

async function reindex(ctx: Ctx, id: string, job: RunningJob): Promise<string> {
  try {
    const outcome = await indexRepo(ctx, id, job)
    if (outcome === 'indexed' || outcome === 'unchanged') return outcome
    // Its own job is queued, or there is nothing to read.
    await job.write((tx) => recordIndexFailure(tx, id, INDEX_VERSION, 'pending'))
    return outcome
  } catch (error) {
    job.signal.throwIfAborted()
    ctx.log.warn({ err: error, repo: id }, 'the files of a repo could not be read')
    await job.write((tx) => recordIndexFailure(tx, id, INDEX_VERSION, 'failed'))
    return 'failed'
  }
}

/** Repos of an older version, in no order that matters. */
async function listStale({ q, t: { repos, repo_heads: h } }: Db): Promise<string[]> {
  const rows = await q
    .select({ id: h.repo_id })
    .from(h)
    .innerJoin(repos, eq(repos.id, h.repo_id))
    .where(and(lt(h.index_version, INDEX_VERSION), isNull(repos.deleted_at), isNotNull(repos.address_key)))
    .orderBy(asc(h.index_version), asc(h.repo_id))
    .limit(PAGE)
  return rows.map(({ id }) => id)
}

/** Queues the job where there is something to do, as after an upgrade. */
export async function queueReindex(deps: Pick<Ctx, 'db' | 'now'>): Promise<boolean> {
  if ((await listStale(deps.db)).length === 0) return false
  const options = { dedupKey: 'all', createdBy: null }
  await deps.db.write((tx) => enqueue(tx, { ...deps, actor: system }, repoReindex, {}, options))
  return true
}

/** Has the metadata of one repo, or of all, made once more by the next server that runs. */
export async function requestReindex(deps: Pick<Ctx, 'db' | 'now'>, repoId?: string): Promise<void> {
  await deps.db.write((tx) => forgetIndex(tx, repoId))
  await queueReindex(deps)
}
