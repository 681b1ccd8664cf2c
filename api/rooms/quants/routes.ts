import { createRoute, json, problems, RepoAddress, z } from '../../core/http/contract.ts'

export const QuantGroup = z
  .object({
    name: z.string(),
    bits: z.number().optional(),
    files: z.array(z.string()),
    size_bytes: z.number().int(),
    sharded: z.boolean(),
    has_projector: z.boolean(),
    pull_command: z.string().openapi({ description: 'Empty where ollama takes no such name.' }),
    run_command: z.string().openapi({ description: 'Pulls first; empty where ollama takes no such name.' }),
  })
  .openapi('QuantGroup')

export const listQuants = createRoute({
  method: 'get',
  path: '/repos/{type}/{ns}/{name}/quants',
  operationId: 'listQuants',
  tags: ['content'],
  request: {
    params: RepoAddress,
    query: z.object({ rev: z.string().min(1).max(255).optional() }),
  },
  responses: {
    200: json(
      z.object({ groups: z.array(QuantGroup) }).openapi('QuantList'),
      'the GGUF models by quant, the largest first',
    ),
    ...problems(
      ...(['unauthenticated', 'insufficient-scope', 'repo-not-found', 'gated'] as const),
      ...(['repo-disabled', 'revision-not-found', 'store-unavailable', 'validation-failed'] as const),
    ),
  },
})
