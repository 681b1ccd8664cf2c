import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Who follows which user or organisation. */
export const followTables = (c: Columns, namespaces: { id: AnySQLiteColumn }) => ({
  follows: c.table(
    'follows',
    {
      follower_id: c
        .text()
        .notNull()
        .references(() => namespaces.id),
      namespace_id: c
        .text()
        .notNull()
        .references(() => namespaces.id),
      created_at: c.time().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.follower_id, t.namespace_id] }),
      // A page of either list reads as many rows as it shows, and a count reads the index alone.
      c.index('follows_followers').on(t.namespace_id, t.created_at, t.follower_id),
      c.index('follows_following').on(t.follower_id, t.created_at, t.namespace_id),
    ],
  ),
})
