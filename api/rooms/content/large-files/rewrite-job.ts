import type { Ctx } from '../../../core/ctx.ts'
import {
  Overtaken,
  RefRefused,
  StaleSnapshot,
  withFresh,
  withRewrittenHistory,
} from '../../../core/git/index.ts'
import { defineJob, type RunningJob } from '../../../core/jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepoById } from '../../repos/index.ts'
import { landRewrite, withdrawUnneeded } from './land-rewrite.ts'
import { RewriteInput, rewriteTicket } from './rewrite-ticket.ts'

/**
 * Takes large files out of every commit that a ref leads to, and moves all these refs at once: branches, tags, pull
 * requests and conversions. When a ref moves meanwhile it starts over. May be repeated: a history without the files stays as it is.
 */
export const rewriteJob = defineJob({ ...rewriteTicket, input: RewriteInput, run })

async function run(ctx: Ctx, input: RewriteInput, job: RunningJob): Promise<Record<string, unknown>> {
  const repo = await requireRepoById(ctx, input.repo_id, 'repo.delete')
  const { signal } = job
  const options = { signal, progress: (commits: number) => job.progress(commits) }
  const place = { repo, input, write: job.write.bind(job) }
  try {
    return await withFresh(
      ctx.git,
      repo.id,
      (snapshot) =>
        withRewrittenHistory(ctx.git, snapshot, new Set(input.sha256s), options, (rewritten) =>
          rewritten ? landRewrite(ctx, snapshot, rewritten, place) : withdrawUnneeded(ctx, snapshot, place),
        ),
      (error) => !signal.aborted && isLost(error),
    )
  } catch (error) {
    if (!isLost(error)) throw error
    throw new Problem('temporarily-unavailable', { detail: 'Its refs are moving.', retryAfterS: 5 })
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof StaleSnapshot || error instanceof Overtaken || error instanceof RefRefused
