import { namespaceRole } from '../access/index.ts'
import type { Ctx } from '../ctx.ts'
import { time, type z } from '../http/contract.ts'
import { nativeBase } from '../http/reference.ts'
import { viewRepos } from '../repos/view.ts'
import type { Item } from './item-queries.ts'
import type { Listed } from './list.ts'
import type { Collection } from './queries.ts'
import type { Whole } from './require.ts'
import type * as schemas from './schemas.ts'
import { slugOf } from './slug.ts'

type CollectionView = z.output<typeof schemas.Collection>
type ItemView = z.output<typeof schemas.CollectionItem>

/** Path of a Collection's native resource. */
export const apiPathOf = (collection: Collection): string =>
  `${nativeBase}/collections/${collection.ns}/${slugOf(collection)}`

function itemView({ id, note, position, repo }: Item): ItemView {
  const { type, ns, name } = repo
  return { id, item: { type, ns, name }, ...(note === null ? {} : { note }), position }
}

/** A Collection as a list shows it. */
export function viewListed(ctx: Ctx, { collection, items, count }: Listed): CollectionView {
  const { id, ns, title, description, visibility, theme, createdAt, updatedAt } = collection
  const my_role = namespaceRole(ctx.actor, { id: collection.namespaceId })
  return {
    id,
    ns,
    slug: slugOf(collection),
    title,
    ...(description === null ? {} : { description }),
    visibility,
    ...(theme === null ? {} : { theme }),
    // There is no way to vote for one here.
    upvotes: 0,
    item_count: count,
    items: items.map(itemView),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
    ...(my_role === null ? {} : { my_role }),
  }
}

/** A Collection by itself: its items with the Repos they stand for. */
export async function viewWhole(ctx: Ctx, whole: Whole): Promise<CollectionView> {
  const repos = await viewRepos(
    ctx,
    whole.items.map(({ repo }) => repo),
  )
  const view = viewListed(ctx, whole)
  const items = view.items.map((item, i) => {
    const repo = repos[i]
    return repo ? { ...item, repo } : item
  })
  return { ...view, items }
}
