import { limits } from '../../../shared/vocabulary.ts'
import { body, createRoute, empty, json, PageQuery, problems, z } from '../../core/http/contract.ts'
import type { ProblemCode } from '../../platform/problems/index.ts'
import { IfMatch } from '../repos/routes.ts'
import { Text } from '../repos/schemas.ts'
import * as schemas from './schemas.ts'

const tags = ['collections']
const collection = '/collections/{ns}/{slug}'
const items = `${collection}/items` as const

const Address = z.object({
  ns: z.string().openapi({ param: { name: 'ns', in: 'path' }, example: 'acme' }),
  slug: z
    .string()
    .openapi({ param: { name: 'slug', in: 'path' }, example: 'small-models-0199c0ffee00123456789abc' }),
})
const ItemAddress = Address.extend({ id: z.string() })

const reading = (...codes: ProblemCode[]) => problems('unauthenticated', 'insufficient-scope', ...codes)
const changing = (...codes: ProblemCode[]) =>
  reading('forbidden', 'csrf-token-invalid', 'invalid-request', 'validation-failed', ...codes)

export const listCollections = createRoute({
  method: 'get',
  path: '/collections',
  operationId: 'listCollections',
  tags,
  summary: 'Collections the caller may see',
  request: {
    query: z.strictObject({
      ...PageQuery.shape,
      owner: Text.max(limits.nameLength).optional().openapi({ description: 'Name of a namespace.' }),
      item: Text.max(250)
        .regex(/^(models|datasets|collections)\/[^/]+\/[^/]+$/, 'is written <type>/<ns>/<name>')
        .optional()
        .openapi({ description: 'What they contain: `models/acme/tiny`, or `collections/acme/<slug>`.' }),
      q: Text.max(200)
        .optional()
        .openapi({ description: 'Words, all of which occur in the title or description.' }),
      sort: z.enum(['updated', 'position', 'upvotes', 'trending']).optional().openapi({
        description:
          'The last changed first; as their owner has put them, which is the default for one owner; the most upvotes first; or the most upvotes of the last seven days. Among equals the last changed is first.',
      }),
    }),
  },
  responses: {
    200: json(schemas.CollectionList, 'A page of collections'),
    ...reading('invalid-cursor', 'validation-failed'),
  },
})

export const createCollection = createRoute({
  method: 'post',
  path: '/collections',
  operationId: 'createCollection',
  tags,
  summary: 'Create a collection',
  request: { body: body(schemas.CollectionCreate) },
  responses: { 201: json(schemas.Collection, 'The collection'), ...changing('already-exists') },
})

export const getCollection = createRoute({
  method: 'get',
  path: collection,
  operationId: 'getCollection',
  tags,
  summary: 'A collection with its items; `ETag` stands for what the caller sees of it',
  request: { params: Address },
  responses: { 200: json(schemas.Collection, 'The collection'), ...reading('not-found') },
})

export const updateCollection = createRoute({
  method: 'patch',
  path: collection,
  operationId: 'updateCollection',
  tags,
  summary: 'Change what a collection is called, who sees it and where it stands',
  request: { params: Address, headers: IfMatch, body: body(schemas.CollectionUpdate) },
  responses: {
    200: json(schemas.Collection, 'The collection'),
    ...changing('not-found', 'precondition-failed', 'already-exists'),
  },
})

export const deleteCollection = createRoute({
  method: 'delete',
  path: collection,
  operationId: 'deleteCollection',
  tags,
  summary: 'Delete a collection; what is in it stays, and it disappears from other collections',
  request: { params: Address, headers: IfMatch },
  responses: { 204: empty('Deleted'), ...changing('not-found', 'precondition-failed') },
})

export const addCollectionItem = createRoute({
  method: 'post',
  path: items,
  operationId: 'addCollectionItem',
  tags,
  summary: `Add a repo or another collection behind the others; a collection holds at most ${limits.collectionItems}`,
  request: { params: Address, body: body(schemas.CollectionItemCreate) },
  responses: {
    200: json(schemas.Collection, 'The collection'),
    ...changing('not-found', 'repo-not-found', 'already-exists'),
  },
})

export const updateCollectionItem = createRoute({
  method: 'patch',
  path: `${items}/{id}`,
  operationId: 'updateCollectionItem',
  tags,
  summary: 'Change the note or the position of an item; the others are renumbered',
  request: { params: ItemAddress, headers: IfMatch, body: body(schemas.CollectionItemUpdate) },
  responses: {
    200: json(schemas.Collection, 'The collection'),
    ...changing('not-found', 'precondition-failed'),
  },
})

export const removeCollectionItem = createRoute({
  method: 'delete',
  path: `${items}/{id}`,
  operationId: 'removeCollectionItem',
  tags,
  summary: 'Take an item out of a collection',
  request: { params: ItemAddress, headers: IfMatch },
  responses: { 204: empty('Removed'), ...changing('not-found', 'precondition-failed') },
})

export const upvoteCollection = createRoute({
  method: 'post',
  path: `${collection}/upvote`,
  operationId: 'upvoteCollection',
  tags,
  summary: 'Upvote a collection',
  request: { params: Address },
  responses: { 200: json(schemas.UpvoteStatus, 'The upvote'), ...changing('not-found') },
})

export const removeCollectionUpvote = createRoute({
  method: 'delete',
  path: `${collection}/upvote`,
  operationId: 'removeCollectionUpvote',
  tags,
  summary: 'Take an upvote back',
  request: { params: Address },
  responses: { 200: json(schemas.UpvoteStatus, 'The upvote'), ...changing('not-found') },
})
