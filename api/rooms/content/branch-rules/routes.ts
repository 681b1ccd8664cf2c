import { limits } from '../../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  json,
  problems,
  RepoAddress,
  Time,
  z,
} from '../../../core/http/contract.ts'
import { Text } from '../../repos/schemas.ts'

const Pattern = Text.trim().min(1).max(limits.branchPattern).openapi({
  description: 'Short name of a branch, or a pattern: `*` stands for any characters but `/`, `**` for any.',
  example: 'release/*',
})

const settings = {
  require_pull_request: z
    .boolean()
    .openapi({ description: 'Changes come by merging pull requests, not by commits and pushes.' }),
  required_approvals: z.int().min(0).max(limits.requiredApprovals).openapi({
    description:
      'People who may write and must approve the newest commits before a pull request is merged. Then requested changes hold the merge, too.',
  }),
  allow_force_push: z.boolean().openapi({ description: 'The history may be rewritten.' }),
  allow_deletion: z.boolean().openapi({ description: 'The branch may be deleted.' }),
  include_admins: z.boolean().openapi({ description: 'Admins of the repo are held to the rule as well.' }),
}

export const BranchRule = z
  .object({ id: z.string(), pattern: z.string(), ...settings, created_at: Time })
  .openapi('BranchRule', { description: 'Of several rules for one branch the strictest counts.' })

const BranchRuleList = z.object({ items: z.array(BranchRule) }).openapi('BranchRuleList')

const BranchRuleCreate = z
  .strictObject({
    pattern: Pattern,
    require_pull_request: settings.require_pull_request.default(true),
    required_approvals: settings.required_approvals.default(0),
    allow_force_push: settings.allow_force_push.default(false),
    allow_deletion: settings.allow_deletion.default(false),
    include_admins: settings.include_admins.default(false),
  })
  .openapi('BranchRuleCreate')

const BranchRuleUpdate = z
  .strictObject({ pattern: Pattern, ...settings })
  .partial()
  .openapi('BranchRuleUpdate')

const tags = ['content']
const path = '/repos/{type}/{ns}/{name}/branch-rules'
const OneRule = RepoAddress.extend({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })
const seen = [
  'unauthenticated',
  'bad-credentials',
  'token-expired',
  'insufficient-scope',
  'repo-not-found',
] as const
const changes = [...seen, 'forbidden', 'csrf-token-invalid'] as const
const bodies = ['invalid-request', 'validation-failed', 'already-exists'] as const

export const listBranchRules = createRoute({
  method: 'get',
  path,
  operationId: 'listBranchRules',
  tags,
  summary: 'The rules that protect branches',
  request: { params: RepoAddress },
  responses: { 200: json(BranchRuleList, `by pattern, at most ${limits.branchRules}`), ...problems(...seen) },
})

export const createBranchRule = createRoute({
  method: 'post',
  path,
  operationId: 'createBranchRule',
  tags,
  summary: 'Protect branches',
  request: { params: RepoAddress, body: body(BranchRuleCreate) },
  responses: { 201: json(BranchRule, 'the new rule'), ...problems(...changes, ...bodies, 'state-conflict') },
})

export const updateBranchRule = createRoute({
  method: 'patch',
  path: `${path}/{id}`,
  operationId: 'updateBranchRule',
  tags,
  summary: 'Change a rule that protects branches',
  request: { params: OneRule, body: body(BranchRuleUpdate) },
  responses: { 200: json(BranchRule, 'the rule'), ...problems(...changes, ...bodies, 'not-found') },
})

export const deleteBranchRule = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  operationId: 'deleteBranchRule',
  tags,
  summary: 'End the protection by a rule',
  request: { params: OneRule },
  responses: { 204: empty('gone'), ...problems(...changes, 'validation-failed', 'not-found') },
})
