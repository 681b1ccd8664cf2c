import { z } from 'zod'
import { defineJob } from '../../jobs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { markPointers } from './mark-pointers.ts'
import { prune } from './prune.ts'
import { Overtaken } from './roots.ts'

/**
 * Drops at once what no ref of a repo leads to, which else can be fetched by its id for another `gc.grace_period`: a secret
 * that was committed by mistake (reliability.md §2, L5). Then the links to large files that only it had. What pull requests
 * were opened on or merged from stays. Fails while refs keep moving, and is tried again.
 */
export const gitPurge = defineJob({
  kind: 'git.purge',
  maxAttempts: 5,
  input: z.strictObject({ repo_id: z.string() }),
  title: () => 'Remove what no branch or tag leads to',
  // What refs lose during a run is for a run of its own.
  admitsEqual: true,
  async run(ctx, { repo_id }, job) {
    const options = { keepSince: ctx.now(), write: job.write.bind(job), signal: job.signal }
    try {
      const objects = await prune(ctx.git, repo_id, options)
      if (objects === undefined) throw new Overtaken()
      return { objects, large_files: await markPointers(ctx, repo_id, options) }
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      throw new Problem('temporarily-unavailable', { detail: 'Its refs are moving.', retryAfterS: 5 })
    }
  },
})
