import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { limits } from '../../../shared/vocabulary.ts'
import { repoTypeOf } from '../repos/index.ts'
import { searchCards } from './cards/search-cards.ts'
import * as routes from './routes.ts'
import { search, searchTypes } from './search.ts'
import { viewCard } from './view.ts'

/** Without a description where there is none. */
const described = <T extends { description: string | null }>({ description, ...rest }: T) => ({
  ...rest,
  ...(description === null ? {} : { description }),
})

/** The search over everything the caller may see. */
export function mountSearch(app: App): void {
  app.openapi(routes.search, async (c) => {
    const { ctx } = c.var
    const { q, types, type: path, limit, cursor } = c.req.valid('query')
    const wanted = types?.split(',')
    const type = path && repoTypeOf(path)
    const list = `search cards ${JSON.stringify([q, type])}`
    // Refused where it is wrong, whether cards are asked for or not.
    const after = openCursor(ctx, list, cursor, z.int())
    const chosen = searchTypes.filter((each) => wanted?.includes(each) ?? true)
    const { repos, namespaces, collections } = await search(ctx, q, chosen, { type, limit })
    const most = Math.min(limit, limits.cardPageMax)
    const cards = wanted?.includes('cards')
      ? await searchCards(ctx, { q, type, after, limit: most })
      : undefined
    return c.json(
      {
        repos: repos.map(described),
        namespaces,
        collections: collections.map(described),
        ...(cards && {
          cards: { items: cards.items.map(viewCard), next_cursor: sealCursor(ctx, list, cards.next) },
        }),
      },
      200,
    )
  })
}
