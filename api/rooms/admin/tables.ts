import type { Columns } from '../../stores/db/columns.sqlite.ts'
import { streamTables } from './audit/stream/tables.ts'
import { lookTables } from './look/tables.ts'

/** What the overview of an instance remembers, how the instance looks, and where its audit is sent. */
export const adminTables = (c: Columns) => ({
  ...lookTables(c),
  ...streamTables(c),
  /** What was stored on a day, as last counted on it. */
  storage_days: c.table('storage_days', {
    /** UTC, such as `2026-03-01`. */
    day: c.id(),
    counted_at: c.time().notNull(),
    lfs_bytes: c.bigint().notNull(),
    git_bytes: c.bigint().notNull(),
    chunk_bytes: c.bigint().notNull(),
    upload_bytes: c.bigint().notNull(),
    /** What the repos would hold more if each had its own copy of an LFS object. */
    saved_bytes: c.bigint().notNull(),
  }),
  /** The largest repos and namespaces when they were last counted. */
  storage_tops: c.table(
    'storage_tops',
    {
      kind: c.oneOf(['repo', 'namespace']).notNull(),
      /** From 0, the largest. */
      rank: c.int().notNull(),
      /** Id of the repo or the namespace. */
      subject_id: c.text().notNull(),
      bytes: c.bigint().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.kind, t.rank] })],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof adminTables> {}
}
