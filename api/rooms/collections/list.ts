import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { requireReader } from '../repos/index.ts'
import { itemsOf, type Items } from './item-queries.ts'
import { findTarget, type ItemRef } from './item-target.ts'
import type { Collection } from './queries.ts'
import { positionBehind, selectCollections, type CollectionPage, type CollectionPosition } from './select.ts'

/** What a list is narrowed to; of several owners or items any one fits. */
export interface CollectionsWanted {
  /** Names of namespaces, in any case. */
  owners?: string[] | undefined
  /** What they contain; what the caller may not see is in none. */
  items?: ItemRef[] | undefined
  /** Each must occur in the title or description, in any case. */
  words?: string[] | undefined
}

/** A line of a list: the first of its items, and how many there are. */
export interface Listed extends Items {
  collection: Collection
}

/** Items of each collection that lists show (hub-wire.md §10). */
const listedItems = 4

/** A page of the collections the caller may see. Problems `unauthenticated` where nothing is public, `insufficient-scope`. */
export async function listCollections(
  ctx: Ctx,
  { owners, items, words }: CollectionsWanted,
  page: CollectionPage,
): Promise<Page<Listed, CollectionPosition>> {
  requireReader(ctx)
  const found = items && (await Promise.all(items.map((item) => findTarget(ctx, item))))
  const holding = found && {
    repoIds: found.flatMap((each) => each?.repo?.id ?? []),
    collectionIds: found.flatMap((each) => each?.collection?.id ?? []),
  }
  const filters = { owners, holding, words }
  const { items: shown, ...next } = await readPage(
    page.limit,
    (count) => selectCollections(ctx.db, ctx, filters, { ...page, limit: count }),
    (last) => positionBehind(page.sort, last),
  )
  const ids = shown.map(({ id }) => id)
  const shownItems = await itemsOf(ctx.db, ctx, ids, listedItems)
  const lines = shown.map((collection) => ({
    collection,
    ...(shownItems.get(collection.id) ?? { items: [], count: 0 }),
  }))
  return { items: lines, ...next }
}
