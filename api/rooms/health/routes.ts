import { createRoute, json, problems, Time, z } from '../../core/http/contract.ts'

const Finding = z
  .object({
    check: z.string(),
    status: z.enum(['ok', 'warn', 'fail']),
    text: z.string(),
    fix: z.string().optional().openapi({ description: 'What to do; of everything that is not `ok`.' }),
  })
  .openapi('HealthFinding')

export const getHealth = createRoute({
  method: 'get',
  path: '/admin/health',
  operationId: 'getHealth',
  tags: ['admin'],
  summary:
    'Check database, store, clocks, disk, git, secrets, jobs, the public address, upstreams and the stream of the audit log',
  responses: {
    200: json(
      z
        .object({
          at: Time.openapi({ description: 'When the checks were made; an answer is given again for 10 s.' }),
          findings: z.array(Finding),
        })
        .openapi('Health'),
      'What was found, as `arsenal doctor` says it',
    ),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope'),
  },
})
