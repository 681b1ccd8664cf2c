import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Who is to see to a discussion. */
export const assigneeTables = (c: Columns, discussions: { id: AnySQLiteColumn }) => ({
  discussion_assignees: c.table(
    'discussion_assignees',
    {
      discussion_id: c
        .text()
        .notNull()
        .references(() => discussions.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.discussion_id, t.user_id] }),
      c.index('discussion_assignees_user').on(t.user_id, t.discussion_id),
    ],
  ),
})
