import type { App } from '../../../core/http/env.ts'
import { checkAddressPath, checkRevision } from '../../content/index.ts'
import { addressOf } from '../../repos/view.ts'
import { readFileRows } from './files/read-file-rows.ts'
import * as routes from './routes.ts'

/** Rows of data files, without conversion. */
export function mountFileRows(app: App): void {
  app.openapi(routes.getFileRows, async (c) => {
    const { rev, path, ...address } = c.req.valid('param')
    checkRevision(rev)
    checkAddressPath(path)
    const text = await readFileRows(c.var.ctx, addressOf(address), {
      revision: rev,
      path,
      ...c.req.valid('query'),
    })
    // Text of the declared shape: a tree would round long integers.
    return c.body(text, 200, { 'Content-Type': 'application/json' }) as never
  })
}
