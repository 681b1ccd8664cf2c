import { discussionKinds, discussionStatuses, reactions } from '../../../shared/vocabulary.ts'
import { CommitResponse, DiffQuery, FileDiff } from '../content/schemas.ts'
import {
  body,
  createRoute,
  empty,
  json,
  PageQuery,
  problems,
  RepoAddress,
  z,
} from '../../core/http/contract.ts'
import type { ProblemCode } from '../../platform/problems/index.ts'
import { Text } from '../repos/schemas.ts'
import * as schemas from './schemas.ts'

export const tags = ['community']
const discussions = '/repos/{type}/{ns}/{name}/discussions'
export const discussion = `${discussions}/{num}` as const

export const DiscussionAddress = RepoAddress.extend({
  num: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .openapi({ param: { name: 'num', in: 'path' }, type: 'integer', example: 1 }),
})

const CommentAddress = DiscussionAddress.extend({ id: z.string() })

export const reading = (...codes: ProblemCode[]) =>
  problems('unauthenticated', 'insufficient-scope', 'repo-not-found', 'discussions-disabled', ...codes)
export const changing = (...codes: ProblemCode[]) =>
  reading('forbidden', 'repo-disabled', 'validation-failed', ...codes)

export const listDiscussions = createRoute({
  method: 'get',
  path: discussions,
  operationId: 'listDiscussions',
  tags,
  summary: 'Discussions and pull requests, newest first',
  request: {
    params: RepoAddress,
    query: PageQuery.extend({
      kind: z.enum(discussionKinds).optional(),
      status: z.enum(discussionStatuses).optional(),
      author: Text.optional().openapi({ description: 'Username.' }),
      label: Text.optional().openapi({ description: 'Name of a label in any case, or its id.' }),
      assignee: Text.optional().openapi({ description: 'Username.' }),
      q: Text.max(200).optional().openapi({
        description: 'Words, all of which occur in the title; a number finds what bears it as well.',
      }),
    }),
  },
  responses: { 200: json(schemas.DiscussionList, 'a page of them, without their threads'), ...reading() },
})

export const createDiscussion = createRoute({
  method: 'post',
  path: discussions,
  operationId: 'createDiscussion',
  tags,
  summary: 'Open a discussion, or a pull request onto the default branch that awaits its commits',
  request: { params: RepoAddress, body: body(schemas.DiscussionCreate) },
  responses: {
    201: json(schemas.Discussion, 'the discussion'),
    ...changing('read-only-mirror', 'state-conflict'),
  },
})

export const getDiscussion = createRoute({
  method: 'get',
  path: discussion,
  operationId: 'getDiscussion',
  tags,
  summary: 'A discussion with its thread',
  request: { params: DiscussionAddress },
  responses: { 200: json(schemas.Discussion, 'the discussion'), ...reading('not-found') },
})

export const updateDiscussion = createRoute({
  method: 'patch',
  path: discussion,
  operationId: 'updateDiscussion',
  tags,
  summary: 'Retitle, close or reopen a discussion, make a draft of a pull request, set labels and assignees',
  description:
    'Its author may do so without a role, but for labels and assignees, which take the role write.',
  request: { params: DiscussionAddress, body: body(schemas.DiscussionUpdate) },
  responses: {
    200: json(schemas.Discussion, 'the discussion, without its thread'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const getDiscussionDiff = createRoute({
  method: 'get',
  path: `${discussion}/diff`,
  operationId: 'getDiscussionDiff',
  tags,
  summary: 'What a pull request changes in one file since it left its base',
  request: { params: DiscussionAddress, query: DiffQuery.extend({ path: z.string() }) },
  responses: {
    200: json(FileDiff, 'the difference'),
    ...reading(
      'not-found',
      'state-conflict',
      'gated',
      'entry-not-found',
      'invalid-path',
      'validation-failed',
      'store-unavailable',
    ),
  },
})

export const createComment = createRoute({
  method: 'post',
  path: `${discussion}/comments`,
  operationId: 'createComment',
  tags,
  summary: 'Comment on a discussion, or on lines of a pull request',
  request: { params: DiscussionAddress, body: body(schemas.CommentCreate) },
  responses: {
    201: json(schemas.DiscussionEvent, 'the comment'),
    ...changing('not-found', 'state-conflict', 'gated', 'entry-not-found', 'store-unavailable'),
  },
})

export const editComment = createRoute({
  method: 'patch',
  path: `${discussion}/comments/{id}`,
  operationId: 'editComment',
  tags,
  summary: 'Change the text of a comment',
  request: { params: CommentAddress, body: body(schemas.CommentUpdate) },
  responses: {
    200: json(schemas.DiscussionEvent, 'the comment'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const hideComment = createRoute({
  method: 'post',
  path: `${discussion}/comments/{id}/hide`,
  operationId: 'hideComment',
  tags,
  summary: 'Hide a comment for good; its text is erased',
  request: { params: CommentAddress },
  responses: { 200: json(schemas.DiscussionEvent, 'the comment'), ...changing('not-found') },
})

export const resolveThread = createRoute({
  method: 'put',
  path: `${discussion}/comments/{id}/resolution`,
  operationId: 'resolveThread',
  tags,
  summary: 'Mark what a review comment and its answers asked for as resolved',
  request: { params: CommentAddress },
  responses: {
    200: json(schemas.DiscussionEvent, 'the first comment of the thread'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const commitSuggestion = createRoute({
  method: 'post',
  path: `${discussion}/comments/{id}/suggestion`,
  operationId: 'commitSuggestion',
  tags,
  summary: 'Commit what a review comment suggests to its pull request, and resolve its thread',
  request: { params: CommentAddress, body: body(schemas.SuggestionCommit) },
  responses: {
    201: json(CommitResponse, 'the head after the change'),
    ...changing(
      'not-found',
      'state-conflict',
      'commit-conflict',
      'read-only-mirror',
      'revision-not-found',
      'gated',
      'file-too-large',
      'quota-exceeded',
      'store-unavailable',
    ),
  },
})

export const reopenThread = createRoute({
  method: 'delete',
  path: `${discussion}/comments/{id}/resolution`,
  operationId: 'reopenThread',
  tags,
  summary: 'Mark what a review comment and its answers asked for as open again',
  request: { params: CommentAddress },
  responses: {
    200: json(schemas.DiscussionEvent, 'the first comment of the thread'),
    ...changing('not-found', 'state-conflict'),
  },
})

const ReactionAddress = CommentAddress.extend({
  reaction: z.enum(reactions).openapi({ param: { name: 'reaction', in: 'path' } }),
})

export const muteDiscussion = createRoute({
  method: 'put',
  path: `${discussion}/mute`,
  operationId: 'muteDiscussion',
  tags,
  summary: 'Hear no more of a thread that you take part in, unless it mentions you',
  request: { params: DiscussionAddress },
  responses: { 204: empty('it is muted'), ...changing('not-found') },
})

export const unmuteDiscussion = createRoute({
  method: 'delete',
  path: `${discussion}/mute`,
  operationId: 'unmuteDiscussion',
  tags,
  summary: 'Hear of a muted thread again',
  request: { params: DiscussionAddress },
  responses: { 204: empty('it is muted no more'), ...changing('not-found') },
})

export const addReaction = createRoute({
  method: 'put',
  path: `${discussion}/comments/{id}/reactions/{reaction}`,
  operationId: 'addReaction',
  tags,
  summary: 'React to a comment',
  request: { params: ReactionAddress },
  responses: {
    200: json(schemas.ReactionList, 'all reactions to it'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const removeReaction = createRoute({
  method: 'delete',
  path: `${discussion}/comments/{id}/reactions/{reaction}`,
  operationId: 'removeReaction',
  tags,
  summary: 'Take a reaction of yours back',
  request: { params: ReactionAddress },
  responses: {
    200: json(schemas.ReactionList, 'all reactions to it'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const createAttachment = createRoute({
  method: 'post',
  path: '/repos/{type}/{ns}/{name}/attachments',
  operationId: 'createAttachment',
  tags,
  summary: 'Upload an image for a comment: PNG, JPEG, GIF or WebP, at most 10 MiB',
  description:
    'You alone can see it until a comment of yours names its `url`; then everybody can who may read that comment. ' +
    'An image that no comment shows is removed after `gc.grace_period`.',
  request: {
    params: RepoAddress,
    body: {
      required: true,
      content: { 'image/*': { schema: z.string().openapi({ format: 'binary' }) } },
    },
  },
  responses: {
    201: json(schemas.Attachment, 'the image'),
    ...changing('quota-exceeded', 'store-unavailable'),
  },
})

export const getPullRequestFiles = createRoute({
  method: 'get',
  path: `${discussion}/files`,
  operationId: 'getPullRequestFiles',
  tags,
  summary: 'The files a pull request changes since it left its base',
  request: { params: DiscussionAddress, query: DiffQuery },
  responses: {
    200: json(schemas.PullRequestFiles, 'the files'),
    ...reading('not-found', 'state-conflict', 'store-unavailable', 'validation-failed'),
  },
})

export const mergePullRequest = createRoute({
  method: 'post',
  path: `${discussion}/merge`,
  operationId: 'mergePullRequest',
  tags,
  summary: 'Merge a pull request into its base',
  request: {
    params: DiscussionAddress,
    body: { required: false, content: { 'application/json': { schema: schemas.MergeRequest } } },
  },
  responses: {
    200: json(schemas.Discussion, 'the discussion, without its thread'),
    ...changing(
      'not-found',
      'state-conflict',
      'branch-protected',
      'merge-conflict',
      'read-only-mirror',
      'store-unavailable',
    ),
  },
})
