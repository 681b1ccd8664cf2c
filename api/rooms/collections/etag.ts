import { etagOf } from '../repos/index.ts'
import type { Item } from './item-queries.ts'
import type { Collection } from './queries.ts'

/** The ETag of a collection as one caller sees it: what `PATCH` and `DELETE` compare. */
export function etagOfCollection(collection: Collection, items: Item[]): string {
  const { id, title, description, visibility, theme, position } = collection
  return etagOf([
    [id, title, description, visibility, theme, position],
    items.map((item) => [item.id, item.note]),
  ])
}
