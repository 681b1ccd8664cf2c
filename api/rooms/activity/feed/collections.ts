import { aliasedTable, and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { visibleCollections } from '../../../core/access/index.ts'
import type { Db } from '../../../stores/db/index.ts'
import type { FeedEntry, FeedWanted } from './entry.ts'
import { collectionsFor, isOfOthers } from './sources.ts'

/** Collections that others made in namespaces that the viewer follows or is a member of. */
export async function findCollections(db: Db, wanted: FeedWanted): Promise<FeedEntry[]> {
  const { viewer, policy, since, before, count } = wanted
  const { collections: c, namespaces } = db.t
  const authors = aliasedTable(namespaces, 'authors')
  const rows: Omit<FeedEntry, 'commits'>[] = await db.q
    .select({
      id: c.id,
      at: c.created_at,
      collection: { ns: namespaces.name, id: c.id, title: c.title },
      description: c.description,
      author: sql<string | null>`${authors.name}`,
    })
    .from(c)
    .innerJoin(namespaces, eq(namespaces.id, c.namespace_id))
    .leftJoin(authors, eq(authors.id, c.created_by))
    .where(
      and(
        inArray(c.id, collectionsFor(db, viewer, since)),
        gte(c.created_at, since),
        before && lt(c.id, before.id),
        isOfOthers(viewer.id, c.created_by),
        visibleCollections(viewer, db.t, policy),
      ),
    )
    .orderBy(desc(c.id))
    .limit(count)
  return rows.map((row) => ({ ...row, commits: 0 }))
}
