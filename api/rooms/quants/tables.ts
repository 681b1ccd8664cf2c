import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** What the model registry answers beside large files: built texts, and GGUF files that git holds itself. */
export const quantTables = (c: Columns, repos: { id: AnySQLiteColumn }) => ({
  built_blobs: c.table(
    'built_blobs',
    {
      repo_id: c
        .text()
        .notNull()
        .references(() => repos.id, { onDelete: 'cascade' }),
      sha256: c.text().notNull(),
      size: c.bigint().notNull(),
      /** The bytes; NULL where `git_oid` has them. */
      body: c.bytes(),
      /** The git blob, 40-hex. */
      git_oid: c.text(),
    },
    (t) => [c.primaryKey({ columns: [t.repo_id, t.sha256] })],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof quantTables> {}
}
