import { actorId } from '../../core/access/index.ts'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { repoTypeOf, type RepoAddress } from '../repos/index.ts'
import { redeliver, testWebhook } from './redeliver.ts'
import { createWebhook, deleteWebhook, updateWebhook } from './settings.ts'
import { getWebhook, listDeliveries, listWebhooks } from './list.ts'
import * as routes from './routes.ts'
import { viewDelivery, viewWebhook } from './view.ts'

function repoIn(text: string | undefined): RepoAddress | undefined {
  const [path, ns = '', name = ''] = text?.split('/') ?? []
  return path === undefined
    ? undefined
    : { type: repoTypeOf(path === 'models' ? path : 'datasets'), ns, name }
}

function mountLists(app: App): void {
  app.openapi(routes.listWebhooks, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, ns, repo } = c.req.valid('query')
    const list = JSON.stringify(['listWebhooks', ns, repo, actorId(ctx.actor)])
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listWebhooks(ctx, { ns, repo: repoIn(repo) }, { after, limit })
    return c.json({ items: items.map(viewWebhook), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.listWebhookDeliveries, async (c) => {
    const { ctx } = c.var
    const { id } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = JSON.stringify(['listWebhookDeliveries', id, actorId(ctx.actor)])
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listDeliveries(ctx, id, { after, limit })
    return c.json({ items: items.map(viewDelivery), next_cursor: sealCursor(ctx, list, next) }, 200)
  })
}

/** The operations on webhooks. */
export function mountWebhooks(app: App): void {
  mountLists(app)

  app.openapi(routes.createWebhook, async (c) => {
    const { secret_header, ...wanted } = c.req.valid('json')
    const { webhook, secret } = await createWebhook(c.var.ctx, { ...wanted, secretHeader: secret_header })
    const view = { ...viewWebhook(webhook), ...(secret === '' ? {} : { secret }) }
    return c.json(view, 201, { Location: `${nativeBase}/webhooks/${webhook.id}` })
  })

  app.openapi(routes.getWebhook, async (c) =>
    c.json(viewWebhook(await getWebhook(c.var.ctx, c.req.valid('param').id)), 200),
  )

  app.openapi(routes.updateWebhook, async (c) => {
    const { secret_header, ...change } = c.req.valid('json')
    const { id } = c.req.valid('param')
    const webhook = await updateWebhook(c.var.ctx, id, { ...change, secretHeader: secret_header })
    return c.json(viewWebhook(webhook), 200)
  })

  app.openapi(routes.deleteWebhook, async (c) => {
    await deleteWebhook(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })

  app.openapi(routes.redeliverWebhook, async (c) => {
    const { id, delivery_id } = c.req.valid('param')
    const delivery = await redeliver(c.var.ctx, id, delivery_id)
    return c.json(viewDelivery(delivery), 202, { Location: `${nativeBase}/webhooks/${id}/deliveries` })
  })

  app.openapi(routes.testWebhook, async (c) => {
    const { id } = c.req.valid('param')
    const delivery = await testWebhook(c.var.ctx, id)
    return c.json(viewDelivery(delivery), 202, { Location: `${nativeBase}/webhooks/${id}/deliveries` })
  })
}
