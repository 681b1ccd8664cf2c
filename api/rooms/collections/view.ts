import { namespaceRole } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { time, type z } from '../../core/http/contract.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { viewRepos } from '../repos/view.ts'
import type { Item } from './item-queries.ts'
import type { Listed } from './list.ts'
import type { Collection } from './queries.ts'
import type { Whole } from './require.ts'
import type * as schemas from './schemas.ts'
import { slugOf } from './slug.ts'

type CollectionView = z.output<typeof schemas.Collection>
type ItemView = z.output<typeof schemas.CollectionItem>

/** Path of a collection's native resource. */
export const apiPathOf = (collection: Collection): string =>
  `${nativeBase}/collections/${collection.ns}/${slugOf(collection)}`

/** What is shown of a collection wherever it stands. */
function factsOf(collection: Collection, count: number): z.output<typeof schemas.InnerCollection> {
  const { id, ns, title, description, visibility, theme, upvotes, isUpvoted, updatedAt } = collection
  return {
    id,
    ns,
    slug: slugOf(collection),
    title,
    ...(description === null ? {} : { description }),
    visibility,
    ...(theme === null ? {} : { theme }),
    upvotes,
    upvoted: isUpvoted,
    item_count: count,
    updated_at: time(updatedAt),
  }
}

function itemView({ id, note, position, repo, collection }: Item): ItemView {
  const rest = { ...(note === null ? {} : { note }), position }
  if (repo) return { id, item: { type: repo.type, ns: repo.ns, name: repo.name }, ...rest }
  const item = { type: 'collection', ns: collection.ns, slug: slugOf(collection) } as const
  return { id, item, ...rest, collection: factsOf(collection, collection.count) }
}

/** A collection as a list shows it. */
export function viewListed(ctx: Ctx, { collection, items, count }: Listed): CollectionView {
  const my_role = namespaceRole(ctx.actor, { id: collection.namespaceId })
  return {
    ...factsOf(collection, count),
    items: items.map(itemView),
    created_at: time(collection.createdAt),
    ...(my_role === null ? {} : { my_role }),
  }
}

/** A collection by itself: its items with the repos they stand for. */
export async function viewWhole(ctx: Ctx, whole: Whole): Promise<CollectionView> {
  const shown = whole.items.flatMap(({ repo }) => repo ?? [])
  const views = await viewRepos(ctx, shown)
  const viewOf = new Map(shown.map((repo, i) => [repo.id, views[i]]))
  const view = viewListed(ctx, whole)
  const items = view.items.map((item, i) => {
    const repo = viewOf.get(whole.items[i]?.repo?.id ?? '')
    return repo ? { ...item, repo } : item
  })
  return { ...view, items }
}
