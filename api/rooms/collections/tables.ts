import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { collectionThemes, visibilities } from '../../../shared/vocabulary.ts'
import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** Collections: repos and other collections that a namespace shows together, in an order of its own. */
export const collectionTables = (c: Columns, repos: { id: AnySQLiteColumn }) => {
  const collections = c.table(
    'collections',
    {
      /** Part of the slug, by which a collection is found whatever its title becomes. */
      id: c.id(),
      namespace_id: c.text().notNull(),
      title: c.text().notNull(),
      description: c.text(),
      visibility: c.oneOf([...visibilities]).notNull(),
      theme: c.oneOf([...collectionThemes]),
      /** Its place among those of the namespace. */
      position: c.int().notNull(),
      /** How many rows of `collection_upvotes` it has. */
      upvotes: c.int().notNull().default(0),
      created_by: c.text(),
      created_at: c.time().notNull(),
      updated_at: c.time().notNull(),
    },
    (t) => [
      c.index('collections_namespace').on(t.namespace_id, t.position),
      // What is new in a namespace, for feeds.
      c.index('collections_namespace_new').on(t.namespace_id, t.id),
      c.index('collections_updated').on(t.updated_at, t.id),
      c.index('collections_upvotes').on(t.upvotes, t.updated_at, t.id),
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
        /** What it is: either a repo or another collection; the other one is NULL. */
        repo_id: c.text().references(() => repos.id, { onDelete: 'cascade' }),
        item_collection_id: c.text().references(() => collections.id, { onDelete: 'cascade' }),
        note: c.text(),
        position: c.int().notNull(),
        added_at: c.time().notNull(),
      },
      (t) => [
        c.uniqueIndex('collection_items_repo').on(t.collection_id, t.repo_id),
        c.index('collection_items_of_repo').on(t.repo_id),
        c.uniqueIndex('collection_items_collection').on(t.collection_id, t.item_collection_id),
        c.index('collection_items_of_collection').on(t.item_collection_id),
      ],
    ),
    collection_upvotes: c.table(
      'collection_upvotes',
      {
        collection_id: c
          .text()
          .notNull()
          .references(() => collections.id, { onDelete: 'cascade' }),
        user_id: c.text().notNull(),
        created_at: c.time().notNull(),
      },
      (t) => [
        c.primaryKey({ columns: [t.collection_id, t.user_id] }),
        // Recent ones are counted by the order of what is trending.
        c.index('collection_upvotes_recent').on(t.collection_id, t.created_at),
      ],
    ),
  }
}

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof collectionTables> {}
}
