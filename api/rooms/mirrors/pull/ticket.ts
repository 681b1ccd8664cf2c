import { createHash } from 'node:crypto'
import { z } from 'zod'
import { mirrorHistories, mirrorTrackings, repoTypes, visibilities } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { enqueue, type JobRow, type JobTicket } from '../../../core/jobs/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { SelectionSchema } from '../selection/schema.ts'

/** The input of a job that pulls. */
export const PullInput = z.object({
  upstream: z.string(),
  type: z.enum(repoTypes),
  /** `ns/name` at the upstream. */
  name: z.string(),
  revision: z.string(),
  selection: SelectionSchema,
  target_ns: z.string().optional(),
  visibility: z.enum(visibilities).optional(),
  tracking: z.enum(mirrorTrackings),
  history: z.enum(mirrorHistories),
  /** Who asked; `null` for the server itself. */
  user_id: z.string().nullable(),
  dependencies: z.object({ code: z.boolean(), base_models: z.boolean() }),
  /** A mirror that is here and a commit of it, whose files alone are fetched. */
  of: z.object({ repo_id: z.string(), commit: z.string() }).optional(),
  /** Steps from the pull that a person asked for. */
  depth: z.number(),
  /** The job of that pull, and the repos from there to this one, as `nodeKey` names them; absent in that pull itself. */
  root: z.string().optional(),
  chain: z.array(z.string()).optional(),
})
export type PullInput = z.output<typeof PullInput>

/** The kind of job that pulls, as those who queue one know it. */
export const pullTicket: JobTicket<PullInput> = {
  kind: 'pull',
  maxAttempts: 8,
  unit: 'bytes',
  title: ({ upstream, name, revision }) =>
    `Pull ${name}${revision === 'main' ? '' : ` at ${revision.slice(0, 12)}`} from ${upstream}`,
}

/** Queues a pull; an equal one of the same person that has not ended is answered instead. */
export async function queuePull(
  tx: Tx,
  ctx: Ctx,
  input: PullInput,
  { parentId, repoId }: { parentId?: string; repoId?: string | undefined } = {},
): Promise<JobRow> {
  const dedupKey = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const options = { dedupKey, createdBy: input.user_id, ...(repoId === undefined ? {} : { repoId }) }
  const job = await enqueue(tx, ctx, pullTicket, input, options)
  await tx.q
    .insert(tx.t.pulls)
    .values({
      job_id: job.id,
      repo_id: repoId ?? null,
      parent_id: parentId ?? null,
      note: null,
      warnings: [],
    })
    .onConflictDoNothing()
  return job
}
