import { authoriseNamespace, type NamespaceAction } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { requireReader } from '../repos/index.ts'
import { limits, namePattern } from '../../../shared/vocabulary.ts'
import { etagOfCollection } from './etag.ts'
import { itemsOf, type Items } from './item-queries.ts'
import { findCollection, lockCollection, type Asker, type Collection, type Reader } from './queries.ts'
import { shortIdOf } from './slug.ts'

/** Where a collection is found: its namespace in any case, and its slug or a former one. */
export interface CollectionAddress {
  ns: string
  slug: string
}

/** A collection as the caller meets it: with its items, as many as are visible. */
export interface Whole extends Items {
  collection: Collection
  /** Of what the caller sees of it. */
  etag: string
}

/** The collection at an address. Problem `not-found` for a hidden one as for none, `unauthenticated`. */
export async function requireCollection(
  reader: Reader,
  asker: Asker,
  { ns, slug }: CollectionAddress,
): Promise<Collection> {
  requireReader(asker)
  const short = shortIdOf(slug)
  const isPossible = short !== undefined && namePattern.test(ns)
  const found = isPossible ? await findCollection(reader, asker, ns, short) : undefined
  if (!found) throw new Problem('not-found', { detail: 'There is no such collection.' })
  return found
}

/** As `requireCollection`, for a caller who may do `action` in its namespace. */
export async function requireOwn(
  reader: Reader,
  asker: Asker,
  address: CollectionAddress,
  action: NamespaceAction = 'namespace.edit-collections',
): Promise<Collection> {
  const found = await requireCollection(reader, asker, address)
  authoriseNamespace(asker.actor, action, { id: found.namespaceId, name: found.ns, kind: found.nsKind })
  return found
}

/** As `requireOwn`, inside the transaction that changes it: other callers wait until the transaction ends. */
export async function requireToChange(
  tx: Tx,
  ctx: Ctx,
  address: CollectionAddress,
  action?: NamespaceAction,
): Promise<Whole> {
  return wholeOf(tx, ctx, await held(tx, ctx, () => requireOwn(tx, ctx, address, action)))
}

/** What `find` finds, locked against other changes until the transaction ends. */
export async function held(tx: Tx, { db }: Ctx, find: () => Promise<Collection>): Promise<Collection> {
  const found = await find()
  // A transaction of SQLite is the only writer from its beginning.
  if (db.engine !== 'postgres') return found
  await lockCollection(tx, found.id)
  return find()
}

/** The collection with all its items. */
export async function wholeOf(reader: Reader, asker: Asker, collection: Collection): Promise<Whole> {
  const found = await itemsOf(reader, asker, [collection.id], limits.collectionItems)
  const items = found.get(collection.id) ?? { items: [], count: 0 }
  return { collection, ...items, etag: etagOfCollection(collection, items.items) }
}
