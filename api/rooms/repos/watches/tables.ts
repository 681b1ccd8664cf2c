import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { watchLevels } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** Which news of a repo a person wants. */
export const watchTables = (c: Columns, repos: { id: AnySQLiteColumn }) => ({
  repo_watches: c.table(
    'repo_watches',
    {
      repo_id: c
        .text()
        .notNull()
        .references(() => repos.id, { onDelete: 'cascade' }),
      user_id: c.text().notNull(),
      level: c.oneOf([...watchLevels]).notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.repo_id, t.user_id] }),
      // The latest watchers of a repo are notified; a person's list reads as many rows as it shows.
      c.index('repo_watches_repo').on(t.repo_id, t.created_at),
      c.index('repo_watches_user').on(t.user_id, t.created_at, t.repo_id),
    ],
  ),
})
