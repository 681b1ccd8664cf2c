import { body, createRoute, flag, json, listOf, PageQuery, problems, z } from '../../../core/http/contract.ts'
import { Token } from '../../auth/token-routes.ts'

const days = z.int().min(1).max(3650)
// Uses are written down once a minute, so less than some minutes would end sessions at work.
const idleMinutes = z.int().min(5).max(43_200)
const score = z.int().min(3).max(4)

const described = {
  token_max_days: 'The latest end of a new token, in days from its creation. `null`: none.',
  token_require_expiry: 'Whether every new token needs an end.',
  password_min_score: 'The zxcvbn score of new passwords. `null`: 3.',
  session_idle_minutes:
    'A session that is unused for longer ends. `null`: it lasts for `security.session_ttl`.',
  admin_second_factor: 'Whether admins need a passkey or a sign-in provider.',
}

const fields = {
  token_max_days: days.nullable().openapi({ description: described.token_max_days }),
  token_require_expiry: z.boolean().openapi({ description: described.token_require_expiry }),
  password_min_score: score.nullable().openapi({ description: described.password_min_score }),
  session_idle_minutes: idleMinutes.nullable().openapi({ description: described.session_idle_minutes }),
  admin_second_factor: z.boolean().openapi({ description: described.admin_second_factor }),
}

export const Policies = z.object(fields).openapi('Policies')
const PoliciesUpdate = z.strictObject(fields).partial().openapi('PoliciesUpdate')

const PolicyEffect = z
  .object({
    tokens_beyond: z.int().openapi({ description: 'End later than a new token may. They stay.' }),
    tokens: z.int(),
    sessions_ending: z.int().openapi({ description: 'End at once.' }),
    sessions: z.int(),
    admins_without_factor: z.int().openapi({ description: 'Have neither a passkey nor a provider.' }),
    admins: z.int(),
  })
  .openapi('PolicyEffect')

const InstanceToken = Token.extend({
  user_id: z.string(),
  username: z.string(),
  beyond_policy: z.boolean().openapi({ description: 'Ends later than the policies let a new one.' }),
}).openapi('InstanceToken')

const tags = ['admin']
const asked = ['unauthenticated', 'forbidden', 'insufficient-scope'] as const
const wholeNumber = (range: z.ZodInt) => z.coerce.number().pipe(range).optional()

export const getPolicies = createRoute({
  method: 'get',
  path: '/admin/policies',
  operationId: 'getPolicies',
  tags,
  summary: 'What this server demands of tokens, passwords, sessions and admins',
  responses: { 200: json(Policies, 'the policies'), ...problems(...asked) },
})

export const updatePolicies = createRoute({
  method: 'patch',
  path: '/admin/policies',
  operationId: 'updatePolicies',
  tags,
  summary: 'Change the policies; they hold at once',
  request: { body: body(PoliciesUpdate) },
  responses: {
    200: json(Policies, 'the policies as changed'),
    ...problems(...asked, 'csrf-token-invalid', 'fresh-sign-in-required', 'state-conflict'),
  },
})

export const getPolicyEffect = createRoute({
  method: 'get',
  path: '/admin/policies/effect',
  operationId: 'getPolicyEffect',
  tags,
  summary: 'What policies would touch if they held now',
  request: {
    query: z.object({
      token_max_days: wholeNumber(days).openapi({ description: described.token_max_days }),
      token_require_expiry: flag.optional().openapi({ description: described.token_require_expiry }),
      session_idle_minutes: wholeNumber(idleMinutes).openapi({ description: described.session_idle_minutes }),
    }),
  },
  responses: { 200: json(PolicyEffect, 'the counts as of now'), ...problems(...asked, 'validation-failed') },
})

export const listInstanceTokens = createRoute({
  method: 'get',
  path: '/admin/tokens',
  operationId: 'listInstanceTokens',
  tags,
  summary: 'The working access tokens of all users, newest first',
  request: {
    query: PageQuery.extend({
      beyond_policy: flag.optional().openapi({ description: 'Those alone that outlast the policies.' }),
    }),
  },
  responses: {
    200: json(listOf(InstanceToken, 'InstanceTokenList'), 'a page of them'),
    ...problems(...asked),
  },
})
