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
    log_lines: z.int().openapi({ description: 'How many lines its log has had.' }),
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

export const JobLogLine = z
  .object({
    number: z.int().openapi({
      description: 'From 1, over all attempts. Where numbers are missing, that many lines were left out.',
    }),
    attempt: z.int().openapi({ description: '0 before the first.' }),
    at: Time,
    text: z.string(),
  })
  .openapi('JobLogLine')

export const getJobLog = createRoute({
  method: 'get',
  path: '/jobs/{id}/log',
  operationId: 'getJobLog',
  tags: ['jobs'],
  summary: 'What a job said of itself, oldest first; of a long log the first 100 lines and the newest 900',
  request: {
    params: JobId,
    query: PageQuery.extend({
      after: z
        .string()
        .regex(/^\d{1,9}$/, 'must be a whole number of at most 9 digits')
        .transform(Number)
        .optional()
        .openapi({
          type: 'integer',
          minimum: 0,
          maximum: 999_999_999,
          description:
            'Only lines behind this one, to follow a job that runs. A cursor goes on from its own place.',
        }),
    }),
  },
  responses: {
    200: json(listOf(JobLogLine, 'JobLog'), 'A page of lines'),
    ...problems('unauthenticated', 'insufficient-scope', 'not-found', 'invalid-cursor', 'validation-failed'),
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
