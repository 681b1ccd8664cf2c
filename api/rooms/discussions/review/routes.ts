import { body, createRoute, json, problems, z } from '../../../core/http/contract.ts'
import { changing, discussion, DiscussionAddress, tags } from '../routes.ts'
import { DiscussionEvent } from '../schemas.ts'
import * as schemas from './schemas.ts'

const ReviewerAddress = DiscussionAddress.extend({
  user: z.string().openapi({ param: { name: 'user', in: 'path' }, description: 'Username.' }),
})

export const createReview = createRoute({
  method: 'post',
  path: `${discussion}/reviews`,
  operationId: 'createReview',
  tags,
  summary: 'Review a pull request: a verdict, and comments that are sent together',
  description:
    'People are notified once. `approve` and `request_changes` are for others than its author, while it is open. ' +
    'A request for your review has been answered then.',
  request: { params: DiscussionAddress, body: body(schemas.ReviewCreate) },
  responses: {
    201: json(DiscussionEvent, 'the review; its comments are entries of the thread'),
    ...changing('not-found', 'state-conflict', 'gated', 'entry-not-found', 'store-unavailable'),
  },
})

export const requestReview = createRoute({
  method: 'put',
  path: `${discussion}/reviewers/{user}`,
  operationId: 'requestReview',
  tags,
  summary: 'Ask a person for a review of a pull request',
  request: { params: ReviewerAddress },
  responses: {
    200: json(schemas.ReviewerList, 'all its reviewers'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const withdrawReviewRequest = createRoute({
  method: 'delete',
  path: `${discussion}/reviewers/{user}`,
  operationId: 'withdrawReviewRequest',
  tags,
  summary: 'Take back a request for a review',
  request: { params: ReviewerAddress },
  responses: {
    200: json(schemas.ReviewerList, 'all its reviewers'),
    ...changing('not-found', 'state-conflict'),
  },
})

export const listReviewRequests = createRoute({
  method: 'get',
  path: '/me/review-requests',
  operationId: 'listReviewRequests',
  tags,
  summary: 'Open pull requests that wait for your review: the latest 20 requests',
  description: 'In repos that you may see now.',
  responses: {
    200: json(schemas.ReviewRequestList, 'the requests, newest first'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope'),
  },
})
