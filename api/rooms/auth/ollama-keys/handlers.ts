import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { deleteKey, listKeys, saveKey, type OllamaKeyRow } from './keys.ts'
import * as routes from './routes.ts'

const viewKey = (row: OllamaKeyRow): routes.OllamaKey => ({
  id: row.id,
  name: row.name,
  public_key: row.public_key,
  fingerprint: row.fingerprint,
  created_at: row.created_at.toISOString(),
  ...(row.last_used_at && { last_used_at: row.last_used_at.toISOString() }),
})

/** The operations on the caller's saved keys. */
export function mountOllamaKeys(app: App): void {
  app.openapi(routes.listOllamaKeys, async (c) => {
    const rows = await listKeys(c.var.ctx)
    return c.json({ items: rows.map(viewKey), next_cursor: '' }, 200)
  })

  app.openapi(routes.createOllamaKey, async (c) => {
    const { name, public_key } = c.req.valid('json')
    const row = await saveKey(c.var.ctx, { name, publicKey: public_key })
    return c.json(viewKey(row), 201, { Location: `${nativeBase}/me/ollama-keys/${row.id}` })
  })

  app.openapi(routes.deleteOllamaKey, async (c) => {
    await deleteKey(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })
}
