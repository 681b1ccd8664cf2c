import { repoTypePaths } from '../../../shared/vocabulary.ts'
import { actorId } from '../../core/access/index.ts'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { repoTypeOf } from '../repos/index.ts'
import { addItem } from './add-item.ts'
import { removeItem, updateItem } from './change-item.ts'
import { createCollection } from './create.ts'
import { deleteCollection } from './delete.ts'
import { getCollection } from './get.ts'
import type { ItemRef } from './item-target.ts'
import { listCollections, type CollectionsWanted } from './list.ts'
import * as routes from './routes.ts'
import { updateCollection } from './update.ts'
import { upvoteCollection } from './upvote.ts'
import { apiPathOf, viewListed, viewWhole } from './view.ts'

const Position = z.strictObject({ values: z.array(z.number()), id: z.string() })

type ListQuery = z.output<typeof routes.listCollections.request.query>

function refIn(item: string): ItemRef {
  const [path, ns = '', name = ''] = item.split('/')
  if (path === 'collections') return { type: 'collection', ns, slug: name }
  return { type: repoTypeOf(repoTypePaths.find((type) => type === path) ?? 'models'), ns, name }
}

function wantedOf({ owner, item, q }: Pick<ListQuery, 'owner' | 'item' | 'q'>): CollectionsWanted {
  return {
    owners: owner === undefined ? undefined : [owner],
    items: item === undefined ? undefined : [refIn(item)],
    words: q?.split(/\s+/).filter((word) => word !== ''),
  }
}

function mountList(app: App): void {
  app.openapi(routes.listCollections, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, ...query } = c.req.valid('query')
    const list = JSON.stringify(['listCollections', query, actorId(ctx.actor)])
    const after = openCursor(ctx, list, cursor, Position)
    const sort = query.sort ?? (query.owner === undefined ? 'updated' : 'position')
    const { items, next } = await listCollections(ctx, wantedOf(query), { sort, after, limit })
    const shown = items.map((each) => viewListed(ctx, each))
    return c.json({ items: shown, next_cursor: sealCursor(ctx, list, next) }, 200)
  })
}

function mountCollection(app: App): void {
  app.openapi(routes.createCollection, async (c) => {
    const { ctx } = c.var
    const made = await createCollection(ctx, c.req.valid('json'))
    const headers = { Location: apiPathOf(made.collection), ETag: made.etag }
    return c.json(await viewWhole(ctx, made), 201, headers)
  })

  app.openapi(routes.getCollection, async (c) => {
    const whole = await getCollection(c.var.ctx, c.req.valid('param'))
    return c.json(await viewWhole(c.var.ctx, whole), 200, { ETag: whole.etag })
  })

  app.openapi(routes.updateCollection, async (c) => {
    const ifMatch = c.req.valid('header')['if-match']
    const whole = await updateCollection(c.var.ctx, c.req.valid('param'), c.req.valid('json'), ifMatch)
    return c.json(await viewWhole(c.var.ctx, whole), 200, { ETag: whole.etag })
  })

  app.openapi(routes.deleteCollection, async (c) => {
    await deleteCollection(c.var.ctx, c.req.valid('param'), c.req.valid('header')['if-match'])
    return c.body(null, 204)
  })
}

function mountItems(app: App): void {
  app.openapi(routes.addCollectionItem, async (c) => {
    const whole = await addItem(c.var.ctx, c.req.valid('param'), c.req.valid('json'))
    return c.json(await viewWhole(c.var.ctx, whole), 200, { ETag: whole.etag })
  })

  app.openapi(routes.updateCollectionItem, async (c) => {
    const ifMatch = c.req.valid('header')['if-match']
    const whole = await updateItem(c.var.ctx, c.req.valid('param'), c.req.valid('json'), ifMatch)
    return c.json(await viewWhole(c.var.ctx, whole), 200, { ETag: whole.etag })
  })

  app.openapi(routes.removeCollectionItem, async (c) => {
    await removeItem(c.var.ctx, c.req.valid('param'), c.req.valid('header')['if-match'])
    return c.body(null, 204)
  })
}

function mountUpvotes(app: App): void {
  app.openapi(routes.upvoteCollection, async (c) =>
    c.json(await upvoteCollection(c.var.ctx, c.req.valid('param'), true), 200),
  )

  app.openapi(routes.removeCollectionUpvote, async (c) =>
    c.json(await upvoteCollection(c.var.ctx, c.req.valid('param'), false), 200),
  )
}

/** Collections of the native API. */
export function mountCollections(app: App): void {
  mountList(app)
  mountCollection(app)
  mountItems(app)
  mountUpvotes(app)
}
