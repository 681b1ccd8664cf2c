import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { reactions } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Who reacted to a comment, and how. */
export const reactionTables = (c: Columns, events: { id: AnySQLiteColumn }) => ({
  discussion_reactions: c.table(
    'discussion_reactions',
    {
      event_id: c
        .text()
        .notNull()
        .references(() => events.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      reaction: c.oneOf([...reactions]).notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.event_id, t.user_id, t.reaction] })],
  ),
})
