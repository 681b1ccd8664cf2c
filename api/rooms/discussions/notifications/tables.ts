import { sql, type AnyColumn, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { notificationReasons } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

interface Referred {
  discussions: { id: AnySQLiteColumn }
  discussion_events: { id: AnySQLiteColumn }
}

/**
 * When a notification came to stand in the list. Lists are sorted by this very expression, which has an index; `coalesce`
 * would have a comma, at which drizzle-kit breaks expressions of SQLite.
 */
export const shownAt = (m: { snoozed_until: AnyColumn; created_at: AnyColumn }): SQL<Date> =>
  sql<Date>`(case when ${m.snoozed_until} is null then ${m.created_at} else ${m.snoozed_until} end)`

/** Who is notified of which entry of a thread, and who wants to hear of a thread no more. */
export const notificationTables = (c: Columns, { discussions, discussion_events }: Referred) => ({
  /** Its first rows were mentions alone. A server of that version may run beside this one, so the name stays. */
  discussion_mentions: c.table(
    'discussion_mentions',
    {
      event_id: c
        .text()
        .notNull()
        .references(() => discussion_events.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      reason: c
        .oneOf([...notificationReasons])
        .notNull()
        .default('mention'),
      created_at: c.time().notNull(),
      /** When the person marked it as read. */
      read_at: c.time(),
      /** Until then it is put away; from then on it stands where news of that moment would. */
      snoozed_until: c.time(),
    },
    (t) => [
      c.primaryKey({ columns: [t.event_id, t.user_id] }),
      c.index('discussion_mentions_shown').on(t.user_id, shownAt(t), t.event_id),
    ],
  ),
  discussion_mutes: c.table(
    'discussion_mutes',
    {
      discussion_id: c
        .text()
        .notNull()
        .references(() => discussions.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.discussion_id, t.user_id] })],
  ),
})
