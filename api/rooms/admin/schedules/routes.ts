import { jobStatuses } from '../../../../shared/vocabulary.ts'
import { createRoute, json, problems, Time, z } from '../../../core/http/contract.ts'
import { Job } from '../../../core/jobs/routes.ts'
import { forAdmins } from '../for-admins.ts'

const ScheduledTask = z
  .object({
    kind: z.string(),
    title: z.string(),
    cron: z.string().openapi({ description: 'Five fields, in `server.timezone`; empty when switched off.' }),
    next_at: Time.optional(),
    newest: z
      .object({ job_id: z.string(), status: z.enum(jobStatuses), created_at: Time })
      .optional()
      .openapi({ description: 'Its newest job.' }),
  })
  .openapi('ScheduledTask')

export const listSchedules = createRoute({
  method: 'get',
  path: '/admin/schedules',
  operationId: 'listSchedules',
  tags: ['admin'],
  summary: 'The tasks that recur, with their next and their newest run',
  responses: {
    200: json(z.object({ items: z.array(ScheduledTask) }).openapi('ScheduledTaskList'), 'All of them'),
    ...problems(...forAdmins),
  },
})

export const runSchedule = createRoute({
  method: 'post',
  path: '/admin/schedules/{kind}/run',
  operationId: 'runSchedule',
  tags: ['admin'],
  summary: 'Run a task that recurs now, beside its schedule',
  request: {
    params: z.object({
      kind: z.string().openapi({ param: { name: 'kind', in: 'path' }, description: 'Such as `fsck`.' }),
    }),
  },
  responses: {
    202: json(Job, 'The job; one that has not ended is answered instead'),
    ...problems(...forAdmins, 'csrf-token-invalid', 'not-found'),
  },
})
