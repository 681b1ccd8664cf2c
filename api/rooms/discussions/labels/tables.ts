import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { labelColors } from '../../../../shared/vocabulary.ts'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

interface Referred {
  repos: { id: AnySQLiteColumn }
  discussions: { id: AnySQLiteColumn }
}

/** The labels of a repo, and which of its discussions have them. */
export const labelTables = (c: Columns, { repos, discussions }: Referred) => {
  const discussion_labels = c.table(
    'discussion_labels',
    {
      id: c.id(),
      repo_id: c
        .text()
        .notNull()
        .references(() => repos.id, { onDelete: 'cascade' }),
      name: c.text().notNull(),
      /** The name in lower case: `Bug` and `bug` are one label. */
      name_key: c.text().notNull(),
      color: c.oneOf([...labelColors]).notNull(),
      /** Empty for none. */
      description: c.text().notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [c.uniqueIndex('discussion_labels_name').on(t.repo_id, t.name_key)],
  )
  return {
    discussion_labels,
    discussion_label_uses: c.table(
      'discussion_label_uses',
      {
        discussion_id: c
          .text()
          .notNull()
          .references(() => discussions.id, { onDelete: 'cascade' }),
        label_id: c
          .text()
          .notNull()
          .references(() => discussion_labels.id, { onDelete: 'cascade' }),
      },
      (t) => [
        c.primaryKey({ columns: [t.discussion_id, t.label_id] }),
        c.index('discussion_label_uses_label').on(t.label_id, t.discussion_id),
      ],
    ),
  }
}
