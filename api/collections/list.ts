import type { Ctx } from '../ctx.ts'
import { requireReader, type RepoAddress } from '../repos/index.ts'
import { itemsOf, type Items } from './item-queries.ts'
import {
  positionBehind,
  selectCollections,
  type Collection,
  type CollectionPage,
  type CollectionPosition,
} from './queries.ts'
import { findRepoAt } from './repo-at.ts'

/** What a list is narrowed to; of several owners or items any one fits. */
export interface CollectionsWanted {
  /** Names of Namespaces, in any case. */
  owners?: string[] | undefined
  /** Repos they contain; one that the caller may not see is in none. */
  items?: RepoAddress[] | undefined
  /** Each must occur in the title or description, in any case. */
  words?: string[] | undefined
}

/** A line of a list: the first of its items, and how many there are. */
export interface Listed extends Items {
  collection: Collection
}

/** Items of each Collection that lists show (hub-wire.md §10). */
const listedItems = 4

/** A page of the Collections the caller may see. Problems `unauthenticated` where nothing is public, `insufficient-scope`. */
export async function listCollections(
  ctx: Ctx,
  { owners, items, words }: CollectionsWanted,
  page: CollectionPage,
): Promise<{ items: Listed[]; next?: CollectionPosition }> {
  requireReader(ctx)
  const repos = items && (await Promise.all(items.map((item) => findRepoAt(ctx, item))))
  const repoIds = repos?.flatMap((repo) => repo?.id ?? [])
  const filters = { owners, repoIds, words }
  const rows = await selectCollections(ctx.db, ctx, filters, { ...page, limit: page.limit + 1 })
  const shown = rows.slice(0, page.limit)
  const ids = shown.map(({ id }) => id)
  const found = await itemsOf(ctx.db, ctx, ids, listedItems)
  const lines = shown.map((collection) => ({
    collection,
    ...(found.get(collection.id) ?? { items: [], count: 0 }),
  }))
  const last = shown.at(-1)
  const next = rows.length > page.limit && last ? positionBehind(page.sort, last) : undefined
  return { items: lines, ...(next ? { next } : {}) }
}
