import { roles } from '../../../../shared/vocabulary.ts'
import { body, createRoute, json, problems, publicOperation, Time, z } from '../../../core/http/contract.ts'
import { GivenPassword } from '../routes.ts'

const kinds = ['invite', 'reset', 'email'] as const

const LinkInfo = z
  .object({
    kind: z.enum(kinds),
    expires_at: Time,
    username: z.string().optional().openapi({ description: 'Whose it is, or the one that an invite gives.' }),
    display_name: z.string().optional(),
    email: z.string().optional(),
    is_admin: z.boolean().optional(),
    orgs: z.array(z.object({ ns: z.string(), role: z.enum(roles) })).optional(),
    note: z.string().optional(),
  })
  .openapi('LinkInfo')

const LinkRedeem = z
  .strictObject({
    username: z.string().max(254).optional().openapi({ description: 'Of an invite that names none.' }),
    password: GivenPassword.optional().openapi({ description: 'Of an invite or a reset.' }),
    revoke_tokens: z
      .boolean()
      .optional()
      .openapi({ description: 'Of a reset: also revoke every access token.' }),
  })
  .openapi('LinkRedeem')

const LinkRedeemed = z
  .object({
    kind: z.enum(kinds),
    username: z.string(),
    notices: z.array(z.string()).openapi({ description: 'What the invite promised and could not be kept.' }),
  })
  .openapi('LinkRedeemed')

const params = z.object({
  secret: z
    .string()
    .max(200)
    .openapi({ param: { name: 'secret', in: 'path' } }),
})
const tags = ['session']

export const getLink = createRoute({
  method: 'get',
  path: '/auth/links/{secret}',
  operationId: 'getLink',
  tags,
  ...publicOperation,
  request: { params },
  responses: { 200: json(LinkInfo, 'what the link is for; it stays usable'), ...problems('not-found') },
})

export const redeemLink = createRoute({
  method: 'post',
  path: '/auth/links/{secret}',
  operationId: 'redeemLink',
  tags,
  ...publicOperation,
  request: { params, body: body(LinkRedeem) },
  responses: {
    200: json(LinkRedeemed, 'done; an invite sets the session cookie too'),
    ...problems(
      ...(['not-found', 'forbidden', 'weak-password', 'validation-failed', 'invalid-request'] as const),
      ...(['name-taken', 'invalid-name', 'email-taken'] as const),
    ),
  },
})
