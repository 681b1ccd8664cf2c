import { body, createRoute, json, problems, Time, z } from '../../../core/http/contract.ts'
import { forAdmins } from '../for-admins.ts'

const count = z.int()

const FailedKind = z
  .object({
    kind: z.string(),
    count,
    newest: z
      .object({
        id: z.string(),
        title: z.string(),
        finished_at: Time.optional(),
        problem: z.object({ code: z.string(), message: z.string() }).optional(),
      })
      .openapi({ description: 'The failed job that was created last.' }),
  })
  .openapi('FailedJobKind')

export const Queue = z
  .object({
    due: count.openapi({ description: 'Jobs whose time has come and that no worker has taken.' }),
    running: count,
    age_seconds: z.int().openapi({ description: 'How long the oldest due job has waited.' }),
    failed_24h: count,
    failed: z.array(FailedKind).openapi({
      description: 'Failed jobs by kind, the most frequent first. Jobs that ended are kept for 30 days.',
    }),
  })
  .openapi('JobQueue')

export const getQueue = createRoute({
  method: 'get',
  path: '/admin/queue',
  operationId: 'getQueue',
  tags: ['admin'],
  summary: 'How long the queue of jobs is, and which kinds of jobs have failed',
  responses: { 200: json(Queue, 'The queue'), ...problems(...forAdmins) },
})

export const retryFailedJobs = createRoute({
  method: 'post',
  path: '/admin/queue/retry',
  operationId: 'retryFailedJobs',
  tags: ['admin'],
  summary: 'Queue the failed jobs of a kind again, 500 at most',
  request: {
    body: body(
      z
        .strictObject({
          kind: z
            .string()
            .max(64)
            .regex(/^[a-z_]+(?:\.[a-z_]+)?$/, 'must be the kind of a job, such as repo.index'),
        })
        .openapi('FailedJobsRetry'),
    ),
  },
  responses: {
    200: json(
      z
        .object({
          retried: count,
          skipped: count.openapi({
            description: 'An equal job is active, or this server no longer does jobs of this kind.',
          }),
          left: count.openapi({
            description: 'Failed jobs of the kind that there are still, skipped ones too.',
          }),
        })
        .openapi('RetriedJobs'),
      'How many are queued now',
    ),
    ...problems(...forAdmins, 'csrf-token-invalid', 'invalid-request', 'validation-failed'),
  },
})
