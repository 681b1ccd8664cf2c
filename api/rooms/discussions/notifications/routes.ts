import {
  discussionEventTypes,
  discussionKinds,
  notificationReasons,
  repoTypes,
  reviewVerdicts,
} from '../../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  flag,
  json,
  PageQuery,
  problems,
  Time,
  z,
} from '../../../core/http/contract.ts'

const tags = ['community']

const Notification = z
  .object({
    id: z.string().openapi({ description: 'Id of the entry.' }),
    reason: z.enum(notificationReasons).openapi({
      description:
        'It mentions you, you wrote in its thread or are assigned to it, it opens one in a repo that you own or may write to, it asks for your review, it assigns you, or you watch the repo.',
    }),
    type: z.enum(discussionEventTypes),
    to: z.string().optional().openapi({ description: 'The status, of a change of it.' }),
    verdict: z.enum(reviewVerdicts).optional().openapi({ description: 'Of a review.' }),
    repo: z.object({ type: z.enum(repoTypes), ns: z.string(), name: z.string() }),
    num: z.int(),
    kind: z.enum(discussionKinds),
    title: z.string(),
    author: z.string().optional().openapi({ description: 'Username. Absent when the account is gone.' }),
    excerpt: z.string().openapi({
      description: 'How a comment begins, and of a review its first one; empty of other entries.',
    }),
    created_at: Time,
    read_at: Time.optional(),
    snoozed_until: Time.optional().openapi({ description: 'When it comes back, or came back.' }),
  })
  .openapi('Notification')

export const listNotifications = createRoute({
  method: 'get',
  path: '/me/notifications',
  operationId: 'listNotifications',
  tags,
  summary: 'What you are notified of in discussions, newest first',
  description: 'In repos that you may see now. One that was put away stands where it came back.',
  request: {
    query: PageQuery.extend({
      unread: flag.optional().openapi({ description: 'Only those that are unread.' }),
      reason: z.enum(notificationReasons).optional(),
      snoozed: flag.optional().openapi({
        description: 'Those that are put away, by when they come back, in place of the others.',
      }),
    }),
  },
  responses: {
    200: json(
      z
        .object({
          items: z.array(Notification),
          next_cursor: z.string(),
          unread: z
            .int()
            .openapi({ description: 'How many are unread in all and not put away, at most 100.' }),
        })
        .openapi('NotificationList'),
      'a page of them',
    ),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'validation-failed'),
  },
})

export const markNotificationsRead = createRoute({
  method: 'post',
  path: '/me/notifications/read',
  operationId: 'markNotificationsRead',
  tags,
  summary: 'Mark notifications as read',
  request: {
    body: body(
      z
        .strictObject({
          ids: z.array(z.uuid()).max(500).optional().openapi({
            description: 'Ids of entries; all when left out.',
          }),
        })
        .openapi('NotificationsRead'),
    ),
  },
  responses: {
    204: empty('they are read'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'validation-failed'),
  },
})

export const snoozeNotifications = createRoute({
  method: 'post',
  path: '/me/notifications/snooze',
  operationId: 'snoozeNotifications',
  tags,
  summary: 'Put notifications away until a moment',
  description:
    'From then on they are unread, at the top of the list. Later entries of their threads notify as ever.',
  request: {
    body: body(
      z
        .strictObject({
          ids: z.array(z.uuid()).min(1).max(500).openapi({ description: 'Ids of entries.' }),
          until: Time.nullable().openapi({
            description: 'Within the next year. `null` brings back at once what is put away.',
          }),
        })
        .openapi('NotificationsSnooze'),
    ),
  },
  responses: {
    204: empty('they are put away, or back'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'validation-failed'),
  },
})
