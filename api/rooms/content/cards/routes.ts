import { repoTypes } from '../../../../shared/vocabulary.ts'
import { body, createRoute, json, problems, z } from '../../../core/http/contract.ts'

const tags = ['content']
const said = z.array(z.object({ message: z.string() }))

const CardCheck = z
  .object({
    errors: said.openapi({ description: 'Hub clients upload no card with one of these.' }),
    warnings: said,
  })
  .openapi('CardCheck')

export const checkCard = createRoute({
  method: 'post',
  path: '/card-checks',
  operationId: 'checkCard',
  tags,
  summary: 'What is wrong with the metadata of a card, before it is committed',
  request: {
    body: body(
      z
        .strictObject({
          type: z.enum(repoTypes),
          text: z.string().max(100_000).openapi({ description: 'A README with its metadata block.' }),
        })
        .openapi('CardCheckCreate'),
    ),
  },
  responses: {
    200: json(CardCheck, 'What was found'),
    ...problems('unauthenticated', 'validation-failed', 'temporarily-unavailable'),
  },
})

const CardVocabulary = z
  .object({
    tasks: z.array(z.object({ id: z.string(), modality: z.string() })),
    libraries: z.array(z.string()),
    licences: z.array(z.string()),
  })
  .openapi('CardVocabulary')

export const getCardVocabulary = createRoute({
  method: 'get',
  path: '/card-vocabulary',
  operationId: 'getCardVocabulary',
  tags,
  summary: 'The tasks, libraries and licences that cards name',
  responses: { 200: json(CardVocabulary, 'The lists'), ...problems('unauthenticated') },
})
