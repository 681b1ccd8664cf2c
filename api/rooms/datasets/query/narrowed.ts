import type { NamedFeature } from '../../../../shared/viewer.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import type { SplitFiles } from './split-files.ts'
import { searchCondition } from './search.ts'
import { parseOrder, parseWhere } from './where/parse.ts'
import { translateOrder, translateWhere, type Bound } from './where/translate.ts'

/** Which rows of a split are asked for, as text: those of a search, or those of a filter in an order. */
export interface RowsAsked {
  where?: string | undefined
  orderby?: string | undefined
  query?: string | undefined
}

export interface Narrowed {
  where?: Bound
  orderBy?: Pick<Bound, 'sql' | 'named'> & { isDescending: boolean }
}

/** What is asked for, in SQL of ours. `InvalidParameter` for what cannot be read. */
export function narrowedBy(
  { where, orderby, query }: RowsAsked,
  features: readonly NamedFeature[],
): Narrowed {
  if (query !== undefined) {
    if (where !== undefined || orderby !== undefined)
      throw new ViewerFault('InvalidParameter', 'A search cannot be combined with a filter or an order.')
    return { where: searchCondition(query, features) }
  }
  const order = orderby === undefined ? undefined : parseOrder(orderby)
  return {
    ...(where === undefined ? {} : { where: translateWhere(parseWhere(where), features) }),
    ...(order ? { orderBy: { ...translateOrder(order, features), isDescending: order.isDescending } } : {}),
  }
}

/** Refuses a filter or an order by columns that files store as another type. Throws `InvalidParameter`. */
export function requireQueried({ where, orderBy }: Narrowed, { others }: Pick<SplitFiles, 'others'>): void {
  for (const place of [...(where?.named ?? []), ...(orderBy?.named ?? [])]) {
    const why = others.get(place)
    if (why !== undefined) throw new ViewerFault('InvalidParameter', why)
  }
}
