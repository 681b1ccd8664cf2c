import { placeOf, slugOf, type Collection, type Item, type Listed } from '../collections/index.ts'
import type { Ctx } from '../ctx.ts'
import { avatarPath } from '../namespaces/index.ts'
import { hubId, hubTime } from './params.ts'
import { escaped } from './text.ts'

const ownerOf = ({ origin }: Ctx, { ns, nsKind, nsTitle, namespaceId }: Collection) => ({
  _id: hubId(namespaceId),
  name: ns,
  fullname: nsTitle,
  avatarUrl: origin.baseUrl + avatarPath(ns),
  type: nsKind,
})

function itemView({ id, repo, note, position }: Item) {
  return {
    _id: hubId(id),
    id: `${repo.ns}/${repo.name}`,
    type: repo.type,
    position,
    ...(note === null ? {} : { note: { html: escaped(note), text: note } }),
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

/** A Collection as a list shows it: the Python client adds the place itself, and stumbles over one (hub-wire.md §10). */
export function hubCollection(ctx: Ctx, { collection, items }: Listed) {
  const { ns, title, description, updatedAt, visibility, theme } = collection
  return {
    slug: `${ns}/${slugOf(collection)}`,
    title,
    ...(description === null ? {} : { description }),
    owner: ownerOf(ctx, collection),
    items: items.map(itemView),
    lastUpdated: hubTime(updatedAt),
    private: visibility === 'private',
    // Clients know no Collection without one.
    theme: theme ?? 'blue',
    upvotes: 0,
    isUpvotedByUser: false,
    gating: false,
  }
}

/** A Collection by itself. */
export async function placedCollection(ctx: Ctx, whole: Listed) {
  const position = await placeOf(ctx.db, ctx, whole.collection)
  return { ...hubCollection(ctx, whole), position }
}
