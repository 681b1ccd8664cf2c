import type { App } from '../../../core/http/env.ts'
import { addressOf } from '../../repos/view.ts'
import { createLabel, deleteLabel, listLabels, updateLabel } from './change-labels.ts'
import * as routes from './routes.ts'
import { labelView } from './view.ts'

/** The labels of a repo. */
export function mountLabels(app: App): void {
  app.openapi(routes.listLabels, async (c) => {
    const labels = await listLabels(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json({ items: labels.map(labelView) }, 200)
  })

  app.openapi(routes.createLabel, async (c) => {
    const label = await createLabel(c.var.ctx, addressOf(c.req.valid('param')), c.req.valid('json'))
    return c.json(labelView(label), 201, { Location: `${c.req.path}/${label.id}` })
  })

  app.openapi(routes.updateLabel, async (c) => {
    const { id, ...address } = c.req.valid('param')
    const label = await updateLabel(c.var.ctx, addressOf(address), id, c.req.valid('json'))
    return c.json(labelView(label), 200)
  })

  app.openapi(routes.deleteLabel, async (c) => {
    const { id, ...address } = c.req.valid('param')
    await deleteLabel(c.var.ctx, addressOf(address), id)
    return c.body(null, 204)
  })
}
