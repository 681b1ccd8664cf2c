import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import * as routes from './routes.ts'
import {
  deleteSavedSearch,
  listSavedSearches,
  saveSearch,
  updateSavedSearch,
  type SavedSearch,
} from './saved-searches.ts'

const viewSearch = ({ id, list, name, query, created_at }: SavedSearch): routes.SavedSearch => ({
  id,
  list,
  name,
  query,
  created_at: created_at.toISOString(),
})

/** The operations on the caller's saved searches. */
export function mountSavedSearches(app: App): void {
  app.openapi(routes.listSavedSearches, async (c) => {
    const rows = await listSavedSearches(c.var.ctx)
    return c.json({ items: rows.map(viewSearch), next_cursor: '' }, 200)
  })

  app.openapi(routes.createSavedSearch, async (c) => {
    const row = await saveSearch(c.var.ctx, c.req.valid('json'))
    return c.json(viewSearch(row), 201, { Location: `${nativeBase}/me/searches/${row.id}` })
  })

  app.openapi(routes.updateSavedSearch, async (c) => {
    const row = await updateSavedSearch(c.var.ctx, c.req.valid('param').id, c.req.valid('json'))
    return c.json(viewSearch(row), 200)
  })

  app.openapi(routes.deleteSavedSearch, async (c) => {
    await deleteSavedSearch(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })
}
