import type { Ctx } from '../../core/ctx.ts'
import { ForeignKeyViolation, newId, UniqueViolation, type Tx } from '../../stores/db/index.ts'
import { invalidField, Problem } from '../../platform/problems/index.ts'
import { limits } from '../../../shared/vocabulary.ts'
import { auditCollection } from './audit.ts'
import { extentOf } from './item-queries.ts'
import { auditedAs, nameOf, requireTarget, type Found, type ItemRef } from './item-target.ts'
import { setCollection } from './queries.ts'
import { requireOwn, requireToChange, type CollectionAddress, type Whole } from './require.ts'
import { noteOf } from './text.ts'

/** What is to be put into a collection. */
export interface NewItem {
  item: ItemRef
  note?: string | undefined
}

/**
 * Adds a repo or another collection that the caller may read behind the other items. Problems: `not-found`, `forbidden`,
 * `repo-not-found`, `already-exists`, `validation-failed` (also for a full collection and for one in itself: clients take
 * every 409 for "is in it").
 */
export async function addItem(ctx: Ctx, address: CollectionAddress, wanted: NewItem): Promise<Whole> {
  const note = noteOf(wanted.note ?? '')
  await requireOwn(ctx.db, ctx, address)
  const found = await requireTarget(ctx, wanted.item)
  try {
    return await ctx.db.write((tx) => add(tx, ctx, address, { found, note }))
  } catch (error) {
    if (error instanceof UniqueViolation)
      throw new Problem('already-exists', {
        detail: `${nameOf(found)} is in this collection already.`,
        cause: error,
      })
    // It was deleted for good a moment ago.
    if (error instanceof ForeignKeyViolation)
      throw new Problem(found.repo ? 'repo-not-found' : 'not-found', { cause: error })
    throw error
  }
}

async function add(
  tx: Tx,
  ctx: Ctx,
  address: CollectionAddress,
  { found, note }: { found: Found; note: string | null },
): Promise<Whole> {
  const { collection, items } = await requireToChange(tx, ctx, address)
  const { n, end } = await extentOf(tx, collection.id)
  if (found.collection?.id === collection.id)
    throw invalidField('item', 'a collection cannot contain itself', 'itself')
  const isIn = items.some(
    (item) => item.repo?.id === found.repo?.id && item.collection?.id === found.collection?.id,
  )
  if (n >= limits.collectionItems && !isIn)
    throw invalidField('item', `a collection holds at most ${limits.collectionItems} items`, 'full')
  await insertItem(tx, ctx, { collectionId: collection.id, found, note, position: end })
  await setCollection(tx, collection.id, { updated_at: ctx.now() })
  await auditCollection(tx, ctx, 'collection.item.add', collection, { after: auditedAs(found) })
  return requireToChange(tx, ctx, address)
}

/** Writes an item. Throws `UniqueViolation` where it is in the collection already. */
export async function insertItem(
  { q, t }: Tx,
  ctx: Ctx,
  item: { collectionId: string; found: Found; note: string | null; position: number },
): Promise<void> {
  await q.insert(t.collection_items).values({
    id: newId(),
    collection_id: item.collectionId,
    repo_id: item.found.repo?.id ?? null,
    item_collection_id: item.found.collection?.id ?? null,
    note: item.note,
    position: item.position,
    added_at: ctx.now(),
  })
}
