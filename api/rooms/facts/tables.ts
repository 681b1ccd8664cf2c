import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** What files say of themselves, and which tensors of two files differ: made from bytes, and made again when they are lost. */
export const factTables = (c: Columns) => ({
  /** One row for equal bytes that are read alike, however many repos hold them. */
  file_facts: c.table(
    'file_facts',
    {
      /** SHA-256 of a large file, else the oid of the git blob. */
      content: c.text().notNull(),
      /** `readingOf`: what else the facts depend on. */
      reading: c.text().notNull(),
      /** `PARSER_VERSION` that made them. */
      version: c.int().notNull(),
      /** JSON of `FileFacts`, compressed by gzip. */
      facts: c.bytes().notNull(),
      /** When they were made, or used last, to the day. */
      touched_at: c.time().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.content, t.reading] }),
      c.index('file_facts_touched').on(t.touched_at),
    ],
  ),
  /** Which tensors of two sets of files have different bytes. */
  tensor_comparisons: c.table(
    'tensor_comparisons',
    {
      /** SHA-256 of the contents on both sides (`pairOf`). */
      pair: c.text().primaryKey(),
      /** JSON of `Comparison`, compressed by gzip. */
      result: c.bytes().notNull(),
      touched_at: c.time().notNull(),
    },
    (t) => [c.index('tensor_comparisons_touched').on(t.touched_at)],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof factTables> {}
}
