import {
  createRoute,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  Time,
  z,
} from '../../../core/http/contract.ts'

const Facts = z.record(z.string(), z.unknown())

export const AuditEvent = z
  .object({
    id: z.string(),
    at: Time,
    request_id: z.string().optional(),
    actor: z.string().optional().openapi({ description: 'The name that the user has now.' }),
    actor_id: z.string().optional(),
    auth_kind: z.enum(['anonymous', 'session', 'token', 'system']),
    token_id: z.string().optional(),
    ip: z.string().optional(),
    action: z.string(),
    target: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    before: Facts.optional(),
    after: Facts.optional(),
    outcome: z.enum(['ok', 'refused']),
  })
  .openapi('AuditEvent')

const date = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const filter = {
  actor: oneLine(z.string().max(254)).optional().openapi({ description: 'A username.' }),
  action: oneLine(z.string().max(100))
    .optional()
    .openapi({ description: 'An action, or its beginning: `org.`' }),
  target: oneLine(z.string().max(254))
    .optional()
    .openapi({ description: 'The id or name of what it was done to.' }),
  outcome: z.enum(['ok', 'refused']).optional(),
  from: date.optional().openapi({ type: 'string', format: 'date-time' }),
  to: date.optional().openapi({ type: 'string', format: 'date-time' }),
}

const tags = ['admin']
const asked = ['unauthenticated', 'forbidden', 'insufficient-scope'] as const

export const listAudit = createRoute({
  method: 'get',
  path: '/admin/audit',
  operationId: 'listAudit',
  tags,
  request: { query: PageQuery.extend(filter) },
  responses: {
    200: json(listOf(AuditEvent, 'AuditList'), 'who did what, newest first'),
    ...problems(...asked),
  },
})

export const exportAudit = createRoute({
  method: 'get',
  path: '/admin/audit/export',
  operationId: 'exportAudit',
  tags,
  request: { query: z.object(filter) },
  responses: {
    200: {
      description: 'one AuditEvent per line, oldest first',
      content: { 'application/jsonl': { schema: z.string() } },
    },
    ...problems(...asked, 'validation-failed'),
  },
})
