import type { Operations } from '../../../../shared/client.ts'
import type { RepoTypePath } from '../../../../shared/vocabulary.ts'
import { api } from '../../../lib/api.ts'
import { pagedQuery } from '../../../lib/paging.ts'

export type FoundCard = NonNullable<Operations['search']['result']['cards']>['items'][number]

/** What a search asks for; of both types without one. */
export interface Search {
  q: string
  type: RepoTypePath | undefined
}

/** Cards in a page of the list. */
const pageSize = 30

export const foundCardsQuery = ({ q, type }: Search) =>
  pagedQuery(['search', 'cards', q, type], async (at, signal) => {
    const query = { q, types: 'cards', limit: pageSize, ...(type && { type }), ...at }
    const { cards } = await api.search({ query }, { signal })
    return cards ?? { items: [], next_cursor: '' }
  })
