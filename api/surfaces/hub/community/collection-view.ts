import {
  placeOf,
  slugOf,
  type Collection,
  type InnerCollection,
  type Item,
  type Listed,
} from '../../../rooms/collections/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { avatarPath } from '../../../rooms/namespaces/index.ts'
import type { Repo } from '../../../rooms/repos/index.ts'
import { hubId, hubTime } from '../wire/params.ts'
import { escaped } from '../wire/text.ts'

const ownerOf = ({ origin }: Ctx, { ns, nsKind, nsTitle, namespaceId }: Collection) => ({
  _id: hubId(namespaceId),
  name: ns,
  fullname: nsTitle,
  avatarUrl: origin.baseUrl + avatarPath(ns),
  type: nsKind,
})

const slugIn = (collection: Collection) => `${collection.ns}/${slugOf(collection)}`

/** What a list and an item of another collection tell. */
const factsOf = (ctx: Ctx, collection: Collection) => ({
  slug: slugIn(collection),
  title: collection.title,
  ...(collection.description === null ? {} : { description: collection.description }),
  owner: ownerOf(ctx, collection),
  lastUpdated: hubTime(collection.updatedAt),
  private: collection.visibility === 'private',
  // Clients know no collection without one.
  theme: collection.theme ?? 'blue',
  upvotes: collection.upvotes,
  isUpvotedByUser: collection.isUpvoted,
})

function itemView(ctx: Ctx, { id, repo, collection, note, position }: Item) {
  return {
    _id: hubId(id),
    position,
    ...(note === null ? {} : { note: { html: escaped(note), text: note } }),
    ...(repo ? repoItem(repo) : collectionItem(ctx, collection)),
  }
}

// Clients take the slug for the id of such an item (hub-wire.md §10).
const collectionItem = (ctx: Ctx, collection: InnerCollection) => ({
  id: hubId(collection.id),
  type: 'collection',
  ...factsOf(ctx, collection),
  numberItems: collection.count,
})

function repoItem(repo: Repo) {
  return {
    id: `${repo.ns}/${repo.name}`,
    type: repo.type,
    author: repo.ns,
    repoType: repo.type,
    likes: repo.likes,
    isLikedByUser: repo.isLiked,
    downloads: repo.downloads30d,
    lastModified: hubTime(repo.updatedAt),
    private: repo.visibility === 'private',
    gated: repo.gated ?? false,
    ...(repo.type === 'model' && repo.task !== null ? { pipeline_tag: repo.task } : {}),
  }
}

/** A collection as a list shows it: the Python client adds the place itself, and stumbles over one (hub-wire.md §10). */
export function hubCollection(ctx: Ctx, { collection, items }: Listed) {
  return {
    ...factsOf(ctx, collection),
    items: items.map((item) => itemView(ctx, item)),
    gating: false,
  }
}

/** A collection by itself. */
export async function placedCollection(ctx: Ctx, whole: Listed) {
  const position = await placeOf(ctx.db, ctx, whole.collection)
  return { ...hubCollection(ctx, whole), position }
}
