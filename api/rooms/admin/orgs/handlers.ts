import { time, z } from '../../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../../core/http/cursor.ts'
import type { App } from '../../../core/http/env.ts'
import { listAdminOrgs, type AdminOrg } from './list.ts'
import * as routes from './routes.ts'

const viewOrg = ({ row, members, admins, repos, usedBytes }: AdminOrg): z.input<typeof routes.AdminOrg> => ({
  ns: row.name,
  display_name: row.display_name,
  members,
  admins,
  repos,
  storage_bytes: usedBytes,
  ...(row.quota_bytes === null ? {} : { quota_bytes: row.quota_bytes }),
  created_at: time(row.created_at),
})

/** Organisations as admins see them. */
export function mountOrgs(app: App): void {
  app.openapi(routes.listAdminOrgs, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, q } = c.req.valid('query')
    const list = `listAdminOrgs ${q}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listAdminOrgs(ctx, q, { after, limit })
    return c.json({ items: items.map(viewOrg), next_cursor: sealCursor(ctx, list, next) }, 200)
  })
}
