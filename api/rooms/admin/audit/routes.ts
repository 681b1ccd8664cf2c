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
import { SEAL_TEXT } from '../../../core/events/index.ts'

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
    seal: z
      .object({ seq: z.int(), hash: z.string() })
      .optional()
      .openapi({ description: 'Its place in the hash chain. Rows of the last minutes have none yet.' }),
  })
  .openapi('AuditEvent')

export const AuditChain = z
  .object({
    is_whole: z.boolean(),
    checked: z.int().openapi({ description: 'Rows whose seal was checked.' }),
    unsealed: z.int().openapi({ description: 'New rows, which the next seal covers.' }),
    head: z.object({ seq: z.int(), hash: z.string(), at: Time }).optional().openapi({
      description: 'The newest seal. Note it down elsewhere: it proves every row before it.',
    }),
    fault_count: z.int(),
    faults: z
      .array(
        z.object({
          kind: z.enum(['changed', 'removed', 'inserted']),
          seq: z.int().optional(),
          id: z.string().optional(),
        }),
      )
      .openapi({ description: 'The first 20 faults.' }),
  })
  .openapi('AuditChain')

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

export const getAuditChain = createRoute({
  method: 'get',
  path: '/admin/audit/chain',
  operationId: 'getAuditChain',
  tags,
  request: {
    query: z.object({
      seal: oneLine(z.string().regex(SEAL_TEXT, 'Write the number and the hash of a seal: 12:abc…'))
        .optional()
        .openapi({ description: 'A seal noted down earlier, `seq:hash`, which must be part of the chain.' }),
    }),
  },
  responses: {
    200: json(AuditChain, 'whether any row was changed, removed or inserted'),
    ...problems(...asked, 'validation-failed'),
  },
})
