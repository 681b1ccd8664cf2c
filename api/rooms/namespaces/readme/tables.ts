import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../../stores/db/columns.sqlite.ts'

/** What users and organisations write about themselves, in Markdown. Apart from their row, which is read with every request. */
export const readmeTables = (c: Columns, namespaces: { id: AnySQLiteColumn }) => ({
  namespace_readmes: c.table('namespace_readmes', {
    namespace_id: c.id().references(() => namespaces.id),
    text: c.text().notNull(),
    updated_at: c.time().notNull(),
  }),
})
