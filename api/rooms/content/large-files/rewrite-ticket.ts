import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JobTicket } from '../../../core/jobs/index.ts'

/** What a rewrite of a history is asked to do. */
export const RewriteInput = z.strictObject({
  repo_id: z.string(),
  /** Sorted, each once. */
  sha256s: z.array(z.string()),
  /** Who asked for it: the log of refs names them. */
  user_id: z.string().nullable(),
})
export type RewriteInput = z.output<typeof RewriteInput>

/** What it takes to queue the job that takes large files out of every commit. */
export const rewriteTicket: JobTicket<RewriteInput> = {
  kind: 'git.rewrite',
  maxAttempts: 5,
  unit: 'items',
  title: ({ sha256s: { length } }) =>
    `Take ${length === 1 ? 'a large file' : `${length} large files`} out of the history`,
}

/** Equal for those that ask for the same. */
export const rewriteKey = ({ repo_id, sha256s }: RewriteInput): string =>
  `${repo_id}/${createHash('sha256').update(sha256s.join()).digest('hex')}`
