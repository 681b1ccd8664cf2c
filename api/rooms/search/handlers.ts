import type { App } from '../../core/http/env.ts'
import * as routes from './routes.ts'
import { search, searchTypes } from './search.ts'

/** Without a description where there is none. */
const described = <T extends { description: string | null }>({ description, ...rest }: T) => ({
  ...rest,
  ...(description === null ? {} : { description }),
})

/** The search over everything the caller may see. */
export function mountSearch(app: App): void {
  app.openapi(routes.search, async (c) => {
    const { q, types, limit } = c.req.valid('query')
    const wanted = types?.split(',')
    const chosen = searchTypes.filter((type) => wanted?.includes(type) ?? true)
    const { repos, namespaces, collections } = await search(c.var.ctx, q, chosen, limit)
    return c.json({ repos: repos.map(described), namespaces, collections: collections.map(described) }, 200)
  })
}
