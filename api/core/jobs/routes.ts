import { jobStatuses, jobUnits } from '../../../shared/vocabulary.ts'
import { createRoute, flag, json, listOf, PageQuery, problems, RepoRef, Time, z } from '../http/contract.ts'

export const Job = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(jobStatuses),
    title: z.string(),
    repo: RepoRef.optional(),
    created_by: z.string().optional().openapi({ description: 'Username.' }),
    created_at: Time,
    started_at: Time.optional(),
    finished_at: Time.optional(),
    attempts: z.int(),
    max_attempts: z.int(),
    run_after: Time.optional().openapi({ description: 'While queued for a later time.' }),
    progress: z.object({
      done: z.int(),
      total: z.int().optional(),
      unit: z.enum(jobUnits),
      rate: z.number().optional().openapi({ description: 'Units per second since this attempt began.' }),
      eta_seconds: z.int().optional(),
    }),
    result: z.record(z.string(), z.unknown()).optional(),
    problem: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .openapi('Job')

const JobId = z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })

export const listJobs = createRoute({
  method: 'get',
  path: '/jobs',
  operationId: 'listJobs',
  tags: ['jobs'],
  summary: 'Jobs the caller may see, newest first',
  request: {
    query: PageQuery.extend({
      mine: flag.optional(),
      kind: z
        .string()
        .regex(/^[a-z_.]*$/)
        .optional(),
      status: z.enum(jobStatuses).optional(),
      repo: z
        .string()
        .regex(/^(?:models|datasets)\/[\w.-]{1,96}\/[\w.-]{1,96}$/, 'must be like models/acme/tiny-bert')
        .optional()
        .openapi({ description: 'Only those of one repo, such as `models/acme/tiny-bert`.' }),
    }),
  },
  responses: {
    200: json(listOf(Job, 'JobList'), 'A page of jobs'),
    ...problems('unauthenticated', 'insufficient-scope', 'invalid-cursor', 'validation-failed'),
  },
})

export const getJob = createRoute({
  method: 'get',
  path: '/jobs/{id}',
  operationId: 'getJob',
  tags: ['jobs'],
  summary: 'A job',
  request: { params: JobId },
  responses: { 200: json(Job, 'The job'), ...problems('unauthenticated', 'insufficient-scope', 'not-found') },
})

export const cancelJob = createRoute({
  method: 'post',
  path: '/jobs/{id}/cancel',
  operationId: 'cancelJob',
  tags: ['jobs'],
  summary: 'Cancel a queued or running job; takes effect within 5 s',
  request: { params: JobId },
  responses: {
    200: json(Job, 'The job'),
    ...problems('unauthenticated', 'insufficient-scope', 'csrf-token-invalid', 'not-found', 'state-conflict'),
  },
})

export const retryJob = createRoute({
  method: 'post',
  path: '/jobs/{id}/retry',
  operationId: 'retryJob',
  tags: ['jobs'],
  summary: 'Queue a failed or cancelled job again',
  request: { params: JobId },
  responses: {
    202: json(Job, 'The job'),
    ...problems('unauthenticated', 'insufficient-scope', 'csrf-token-invalid', 'not-found', 'state-conflict'),
  },
})

export const watchJob = createRoute({
  method: 'get',
  path: '/jobs/{id}/events',
  operationId: 'watchJob',
  tags: ['jobs'],
  summary: 'The job as server-sent events: one `job` event per change, until it has ended',
  request: { params: JobId },
  responses: {
    200: {
      description: 'Events named `job` whose data is a job; of one that pulls, a pull',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...problems('unauthenticated', 'insufficient-scope', 'not-found'),
  },
})
