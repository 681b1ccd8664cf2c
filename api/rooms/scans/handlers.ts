import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { checkAddressPath, checkRevision, openRevision } from '../content/index.ts'
import { requireRepo } from '../repos/index.ts'
import { addressOf } from '../repos/view.ts'
import { listAllIssues } from './read/all-issues.ts'
import { getFileScan } from './read/file-scan.ts'
import { revisionScan } from './read/revision-scan.ts'
import * as routes from './routes.ts'
import { deleteImportRule, listImportRules, setImportRule } from './rules/rules.ts'
import { fileScanView, importRuleView, repoScanView, unsafeFileView } from './view.ts'

const Position = z.strictObject({ at: z.number(), repoId: z.string(), path: z.string() })

/** The operations on what the scan found. */
export function mountScans(app: App): void {
  app.openapi(routes.getFileScan, async (c) => {
    const { rev, path, ...address } = c.req.valid('param')
    checkRevision(rev)
    checkAddressPath(path)
    return c.json(
      fileScanView(await getFileScan(c.var.ctx, addressOf(address), { revision: rev, path })),
      200,
    )
  })

  app.openapi(routes.getRepoScan, async (c) => {
    const { ctx } = c.var
    const { rev = '' } = c.req.valid('query')
    checkRevision(rev)
    const repo = await requireRepo(ctx, addressOf(c.req.valid('param')), 'repo.read')
    return c.json(repoScanView(await revisionScan(ctx, await openRevision(ctx, repo.id, rev))), 200)
  })

  app.openapi(routes.listUnsafeFiles, async (c) => {
    const { ctx } = c.var
    const { cursor, limit, status } = c.req.valid('query')
    const list = `listUnsafeFiles ${status}`
    const after = openCursor(ctx, list, cursor, Position)
    const { items, next } = await listAllIssues(ctx, status, { after, limit })
    return c.json({ items: items.map(unsafeFileView), next_cursor: sealCursor(ctx, list, next) }, 200)
  })

  app.openapi(routes.listImportRules, async (c) =>
    c.json({ items: (await listImportRules(c.var.ctx)).map(importRuleView) }, 200),
  )

  app.openapi(routes.setImportRule, async (c) =>
    c.json(importRuleView(await setImportRule(c.var.ctx, c.req.valid('param'), c.req.valid('json'))), 200),
  )

  app.openapi(routes.deleteImportRule, async (c) => {
    await deleteImportRule(c.var.ctx, c.req.valid('param'))
    return c.body(null, 204)
  })
}
