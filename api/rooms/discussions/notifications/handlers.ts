import { optionalTime, time, z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { countUnread, listNotifications, type Notification } from './list.ts'
import { markRead } from './mark-read.ts'
import { snooze } from './snooze.ts'
import * as routes from './routes.ts'

const maxUnread = 100

const notificationView = ({
  author,
  createdAt,
  readAt,
  snoozedUntil,
  to,
  type,
  verdict,
  ...rest
}: Notification) => ({
  ...rest,
  type,
  author: author ?? undefined,
  to: type === 'status_change' ? (to ?? undefined) : undefined,
  verdict: verdict ?? undefined,
  created_at: time(createdAt),
  read_at: optionalTime(readAt),
  snoozed_until: optionalTime(snoozedUntil),
})

/** The caller's notifications. */
export function mountNotifications(app: App): void {
  app.openapi(routes.listNotifications, async (c) => {
    const { ctx } = c.var
    const {
      cursor,
      limit,
      unread: isUnread = false,
      reason,
      snoozed: isSnoozed = false,
    } = c.req.valid('query')
    const list = JSON.stringify(['listNotifications', isUnread, reason, isSnoozed])
    const after = openCursor(ctx, list, cursor, z.tuple([z.int(), z.string()]))
    const { items, next } = await listNotifications(ctx, { after, limit, isUnread, reason, isSnoozed })
    const unread = await countUnread(ctx, maxUnread)
    const next_cursor = sealCursor(ctx, list, next)
    return c.json({ items: items.map(notificationView), next_cursor, unread }, 200)
  })

  app.openapi(routes.markNotificationsRead, async (c) => {
    await markRead(c.var.ctx, c.req.valid('json').ids)
    return c.body(null, 204)
  })

  app.openapi(routes.snoozeNotifications, async (c) => {
    const { ids, until } = c.req.valid('json')
    await snooze(c.var.ctx, ids, until === null ? null : new Date(until))
    return c.body(null, 204)
  })
}
