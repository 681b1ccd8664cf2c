import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { collectionThemes, visibilities } from '../../shared/vocabulary.ts'
import type { Columns } from '../db/columns.sqlite.ts'

/** Collections: Repos that a Namespace shows together, in an order of its own. */
export const collectionTables = (c: Columns, repos: { id: AnySQLiteColumn }) => {
  const collections = c.table(
    'collections',
    {
      /** Part of the slug, by which a Collection is found whatever its title becomes. */
      id: c.id(),
      namespace_id: c.text().notNull(),
      title: c.text().notNull(),
      description: c.text(),
      visibility: c.oneOf([...visibilities]).notNull(),
      theme: c.oneOf([...collectionThemes]),
      /** Its place among those of the Namespace. */
      position: c.int().notNull(),
      created_by: c.text(),
      created_at: c.time().notNull(),
      updated_at: c.time().notNull(),
    },
    (t) => [
      c.index('collections_namespace').on(t.namespace_id, t.position),
      c.index('collections_updated').on(t.updated_at, t.id),
    ],
  )
  return {
    collections,
    collection_items: c.table(
      'collection_items',
      {
        id: c.id(),
        collection_id: c
          .text()
          .notNull()
          .references(() => collections.id, { onDelete: 'cascade' }),
        repo_id: c
          .text()
          .notNull()
          .references(() => repos.id, { onDelete: 'cascade' }),
        note: c.text(),
        position: c.int().notNull(),
        added_at: c.time().notNull(),
      },
      (t) => [
        c.uniqueIndex('collection_items_repo').on(t.collection_id, t.repo_id),
        c.index('collection_items_of_repo').on(t.repo_id),
      ],
    ),
  }
}
