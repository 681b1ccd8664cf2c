import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { collectionThemes } from '../../../../shared/vocabulary.ts'
import {
  addItem,
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  removeItem,
  updateCollection,
  updateItem,
  upvoteCollection,
  type CollectionAddress,
  type CollectionSort,
  type CollectionsWanted,
  type ItemRef,
} from '../../../rooms/collections/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { bodyOf, fit } from '../wire/bodies.ts'
import { hubCollection, placedCollection } from './collection-view.ts'
import { pageResponse, positionOf, queryOf } from '../wire/pages.ts'
import { bounded, countOf, listOf } from '../wire/params.ts'

type Handler = (c: Context<Env>) => Promise<Response>

const addressOf = (c: Context<Env>): CollectionAddress => ({
  ns: c.req.param('ns') ?? '',
  slug: c.req.param('slug') ?? '',
})

const noSuchItem = (what: string): Problem =>
  new Problem('not-found', {
    detail: `Collections of this server hold models, datasets and collections, not ${what}.`,
  })

const Item = z.object({ type: z.string(), id: z.string() })

function refOf(type: string, ns: string, name: string): ItemRef | undefined {
  if (type === 'collection') return { type, ns, slug: name }
  return type === 'model' || type === 'dataset' ? { type, ns, name } : undefined
}

/** What a body's item names; a collection by its slug. Problem `not-found` for other kinds, as for what is not there. */
function namedBy({ type, id }: z.infer<typeof Item>): ItemRef {
  const [ns = '', name = ''] = id.split('/', 2)
  const ref = refOf(type, ns, name)
  if (!ref) throw noSuchItem(`a "${type}"`)
  return ref
}

const itemWord = /^(model|dataset|collection)s?\/([^/]+)\/([^/]+)$/

/** What `item=models/ns/x` names; what is no address is left out, and matches nothing. */
function itemsOf(words: string[]): ItemRef[] {
  return words.flatMap((word) => {
    const [, type = '', ns = '', name = ''] = itemWord.exec(word) ?? []
    return refOf(type, ns, name) ?? []
  })
}

function wantedOf(query: URLSearchParams): CollectionsWanted {
  const [owners, items] = [listOf(query, 'owner'), listOf(query, 'item')]
  const words = (query.get('q') ?? '').split(/\s+/).filter((word) => word !== '')
  return {
    ...(owners.length > 0 ? { owners: bounded('owner', owners) } : {}),
    ...(items.length > 0 ? { items: itemsOf(bounded('item', items)) } : {}),
    words: bounded('q', [...new Set(words)]),
  }
}

const sorts = new Map<string, CollectionSort>([
  ['lastModified', 'updated'],
  ['trending', 'trending'],
  ['upvotes', 'upvotes'],
])
const maxPage = 100
const Position = z.object({ values: z.array(z.number()), id: z.string() })

/** `GET /api/collections` */
async function list(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const sort = sorts.get(query.get('sort') ?? 'trending')
  if (!sort)
    throw new Problem('invalid-request', { detail: `"sort" must be one of ${[...sorts.keys()].join(', ')}` })
  const limit = countOf(query, 'limit', maxPage, maxPage)
  const position = positionOf(c)
  const after = position === undefined ? undefined : fit(Position, position)
  const page = await listCollections(ctx, wantedOf(query), { sort, after, limit })
  const lines = page.items.map((each) => hubCollection(ctx, each))
  return pageResponse(c, lines, page.next)
}

const New = z.object({
  title: z.string(),
  namespace: z.string(),
  private: z.boolean().nullish(),
  description: z.string().nullish(),
  item: Item.nullish(),
})

/** `POST /api/collections`: a title in use is 409 with the `slug` of that collection, which `exists_ok` reads. */
async function create(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { namespace, item, ...body } = await bodyOf(c, New)
  const made = await createCollection(ctx, {
    ns: namespace,
    title: body.title,
    description: body.description ?? undefined,
    visibility: body.private ? 'private' : 'public',
    ...(item ? { item: { item: namedBy(item) } } : {}),
  })
  return c.json(await placedCollection(ctx, made))
}

/** `GET /api/collections/{slug}` */
async function read(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  return c.json(await placedCollection(ctx, await getCollection(ctx, addressOf(c))))
}

const place = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const Change = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  position: place.nullish(),
  private: z.boolean().nullish(),
  theme: z.enum(collectionThemes).nullish(),
})

/** `PATCH /api/collections/{slug}`: what has become of it, in `data`. */
async function change(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { private: isPrivate, ...body } = await bodyOf(c, Change)
  const changed = await updateCollection(ctx, addressOf(c), {
    title: body.title ?? undefined,
    description: body.description ?? undefined,
    position: body.position ?? undefined,
    theme: body.theme ?? undefined,
    visibility: typeof isPrivate !== 'boolean' ? undefined : isPrivate ? 'private' : 'public',
  })
  return c.json({ success: true, data: await placedCollection(ctx, changed) })
}

/** `DELETE /api/collections/{slug}` */
async function remove(c: Context<Env>): Promise<Response> {
  await deleteCollection(c.var.ctx, addressOf(c))
  return c.json({ success: true })
}

/** `POST /api/collections/{slug}/items` */
async function add(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { item, note } = await bodyOf(c, z.object({ item: Item, note: z.string().nullish() }))
  const whole = await addItem(ctx, addressOf(c), { item: namedBy(item), note: note ?? undefined })
  return c.json(await placedCollection(ctx, whole))
}

/** `POST|DELETE /api/collections/{slug}/upvote` */
async function setUpvote(c: Context<Env>, wanted: boolean): Promise<Response> {
  const { upvoted, upvotes } = await upvoteCollection(c.var.ctx, addressOf(c), wanted)
  return c.json({ upvotes, isUpvotedByUser: upvoted })
}

const itemAt = (c: Context<Env>) => ({ ...addressOf(c), id: (c.req.param('id') ?? '').toLowerCase() })

/** `PATCH /api/collections/{slug}/items/{id}` */
async function changeItem(c: Context<Env>): Promise<Response> {
  const { note, position } = await bodyOf(
    c,
    z.object({ note: z.string().nullish(), position: place.nullish() }),
  )
  const wanted = { note: note ?? undefined, position: position ?? undefined }
  await updateItem(c.var.ctx, itemAt(c), wanted)
  return c.json({})
}

/** `DELETE /api/collections/{slug}/items/{id}` */
async function removeOne(c: Context<Env>): Promise<Response> {
  await removeItem(c.var.ctx, itemAt(c))
  return c.json({})
}

const collections = '/api/collections'
const collection = `${collections}/:ns/:slug`

/** The collections' rows of the hub surface (hub-wire.md §10). */
export const collectionRows: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, Handler][] = [
  ['GET', collections, list],
  ['POST', collections, create],
  ['GET', collection, read],
  ['PATCH', collection, change],
  ['DELETE', collection, remove],
  ['POST', `${collection}/items`, add],
  ['PATCH', `${collection}/items/:id`, changeItem],
  ['DELETE', `${collection}/items/:id`, removeOne],
  ['POST', `${collection}/upvote`, (c) => setUpvote(c, true)],
  ['DELETE', `${collection}/upvote`, (c) => setUpvote(c, false)],
]
