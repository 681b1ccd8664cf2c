import { body, createRoute, empty, json, problems, Time, z } from '../../../../core/http/contract.ts'
import { forAdmins } from '../../for-admins.ts'

const tags = ['admin']
const changing = [...forAdmins, 'csrf-token-invalid', 'fresh-sign-in-required'] as const

const url = z.string().min(1).max(2048)
const enabled = z.boolean()

export const AuditStream = z
  .object({
    url,
    has_token: z.boolean(),
    enabled: enabled.openapi({ description: 'A paused stream sends nothing; its rows wait.' }),
    created_at: Time,
    updated_at: Time,
    sent_seq: z.int().openapi({ description: 'Number of the last seal whose row was sent.' }),
    sent_at: Time.optional(),
    waiting: z.int().openapi({ description: 'Rows that are still to be sent.' }),
    lost: z.int().openapi({ description: 'Rows that expired, after 400 days, before they were sent.' }),
    failing_since: Time.optional().openapi({ description: 'Since when every attempt has failed.' }),
    next_attempt_at: Time.optional(),
    error: z.string().optional().openapi({ description: 'Why the last attempt failed.' }),
  })
  .openapi('AuditStream')

const AuditStreamSet = z
  .strictObject({
    url: url.openapi({
      description:
        'Of `https:`. `http:` only within the ranges that `security.outbound_allow` has for `audit`.',
    }),
    token: z
      .string()
      .max(4096)
      .regex(/^[\x21-\x7e]+$/, 'use printable ASCII characters without blanks')
      .nullable()
      .optional()
      .openapi({
        description: 'Sent as `Authorization: Bearer`. Left out: the present one stays; `null`: none.',
      }),
    enabled: enabled.optional(),
    from_start: z.boolean().optional().openapi({
      description: 'Sends all rows that the audit log holds, also those that were sent before.',
    }),
  })
  .openapi('AuditStreamSet')

const AuditStreamTest = z
  .object({
    ok: z.boolean(),
    status: z.int().optional().openapi({ description: 'What the other side answered.' }),
    error: z.string().optional().openapi({ description: 'Why the row was not taken.' }),
  })
  .openapi('AuditStreamTest')

export const getAuditStream = createRoute({
  method: 'get',
  path: '/admin/audit/stream',
  operationId: 'getAuditStream',
  tags,
  summary: 'Where the audit log is sent, and what waits',
  responses: { 200: json(AuditStream, 'The stream'), ...problems(...forAdmins, 'not-found') },
})

export const setAuditStream = createRoute({
  method: 'put',
  path: '/admin/audit/stream',
  operationId: 'setAuditStream',
  tags,
  summary: 'Send the audit log to another system; a new stream begins now',
  request: { body: body(AuditStreamSet) },
  responses: {
    200: json(AuditStream, 'The stream'),
    ...problems(...changing, 'invalid-request', 'validation-failed'),
  },
})

export const deleteAuditStream = createRoute({
  method: 'delete',
  path: '/admin/audit/stream',
  operationId: 'deleteAuditStream',
  tags,
  summary: 'Stop sending the audit log, and forget where to',
  responses: { 204: empty('Deleted'), ...problems(...changing, 'not-found') },
})

export const testAuditStream = createRoute({
  method: 'post',
  path: '/admin/audit/stream/test',
  operationId: 'testAuditStream',
  tags,
  summary: 'Send one made-up row now, and say what came of it',
  responses: {
    200: json(AuditStreamTest, 'Whether it was taken'),
    ...problems(...forAdmins, 'csrf-token-invalid', 'not-found'),
  },
})
