import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Searches of lists that people have saved under a name. */
export const searchTables = (c: Columns) => ({
  saved_searches: c.table(
    'saved_searches',
    {
      id: c.id(),
      user_id: c.text().notNull(),
      list: c.oneOf(['models', 'datasets']).notNull(),
      name: c.text().notNull(),
      /** Filters and order, as the list's page has them in its address. */
      query: c.text().notNull(),
      created_at: c.time().notNull(),
    },
    (t) => [c.uniqueIndex('saved_searches_name').on(t.user_id, t.list, t.name)],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof searchTables> {}
}
