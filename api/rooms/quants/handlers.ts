import type { App } from '../../core/http/env.ts'
import { addressOf } from '../repos/view.ts'
import { listQuants, pullCommand } from './list-quants.ts'
import * as routes from './routes.ts'

/** The operation on the quants of a Repo. */
export function mountQuants(app: App): void {
  app.openapi(routes.listQuants, async (c) => {
    const { ctx } = c.var
    const address = addressOf(c.req.valid('param'))
    const groups = await listQuants(ctx, address, c.req.valid('query').rev)
    const isTag = (name: string) => /^[\w.-]+$/.test(name)
    return c.json(
      {
        groups: groups.map(({ name, bits, files, sizeBytes, isSharded, projectors }) => {
          const [path = ''] = files
          const tag = isTag(name) ? name : path.slice(path.lastIndexOf('/') + 1)
          return {
            name,
            ...(bits === undefined ? {} : { bits }),
            files,
            size_bytes: sizeBytes,
            sharded: isSharded,
            has_projector: projectors.length > 0,
            pull_command: pullCommand(ctx.config.server.public_url, address, tag),
          }
        }),
      },
      200,
    )
  })
}
