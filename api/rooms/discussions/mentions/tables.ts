import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Whom a comment mentions. It is their notification, too. */
export const mentionTables = (c: Columns, events: { id: AnySQLiteColumn }) => ({
  discussion_mentions: c.table(
    'discussion_mentions',
    {
      event_id: c
        .text()
        .notNull()
        .references(() => events.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      created_at: c.time().notNull(),
      /** When the person marked it as read. */
      read_at: c.time(),
    },
    (t) => [
      c.primaryKey({ columns: [t.event_id, t.user_id] }),
      c.index('discussion_mentions_user').on(t.user_id, t.event_id),
    ],
  ),
})
