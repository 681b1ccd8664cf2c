import type { App } from '../http/env.ts'
import * as routes from './routes.ts'
import { search, searchTypes } from './search.ts'

/** The search over everything the caller may see. */
export function mountSearch(app: App): void {
  app.openapi(routes.search, async (c) => {
    const { q, types, limit } = c.req.valid('query')
    const wanted = types?.split(',')
    const chosen = searchTypes.filter((type) => wanted?.includes(type) ?? true)
    const { repos, namespaces } = await search(c.var.ctx, q, chosen, limit)
    const shown = repos.map(({ description, ...repo }) => ({
      ...repo,
      ...(description === null ? {} : { description }),
    }))
    return c.json({ repos: shown, namespaces }, 200)
  })
}
