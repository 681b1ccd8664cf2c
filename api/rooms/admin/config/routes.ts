import { createRoute, json, problems, Time, z } from '../../../core/http/contract.ts'

const Entry = z
  .object({
    key: z.string(),
    value: z.string().optional().openapi({ description: 'As in the file; absent for secrets.' }),
    is_secret: z.boolean(),
    is_set: z.boolean().openapi({ description: 'Whether it has a value; all that is said of secrets.' }),
    source: z.string().optional().openapi({ description: 'What set it; absent where the default holds.' }),
    default: z.string(),
    description: z.string(),
  })
  .openapi('ConfigEntry')

export const getConfig = createRoute({
  method: 'get',
  path: '/admin/config',
  operationId: 'getConfig',
  tags: ['admin'],
  summary: 'Every configuration key with the value in force and what set it',
  responses: {
    200: json(
      z
        .object({
          started_at: Time.openapi({ description: 'When the process that answers read them.' }),
          entries: z.array(Entry),
        })
        .openapi('Config'),
      'The configuration of the process that answers, without secrets',
    ),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope'),
  },
})
