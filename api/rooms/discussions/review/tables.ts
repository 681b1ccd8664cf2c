import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Whose review of a pull request is waited for. */
export const reviewTables = (c: Columns, discussions: { id: AnySQLiteColumn }) => ({
  review_requests: c.table(
    'review_requests',
    {
      discussion_id: c
        .text()
        .notNull()
        .references(() => discussions.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      requested_by: c.text(),
      created_at: c.time().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.discussion_id, t.user_id] }),
      c.index('review_requests_user').on(t.user_id, t.created_at),
    ],
  ),
})
