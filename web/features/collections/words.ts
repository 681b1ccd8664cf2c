import type { CollectionTheme } from '../../../shared/vocabulary.ts'
import { pages } from '../../lib/pages.ts'
import type { Collection } from '../../lib/types.ts'
import type { ItemRef, RepoRef } from './queries.ts'

/** A repo as the `item` filter writes it: `models/acme/tiny`. */
export const wordOf = ({ type, ns, name }: RepoRef): string => `${type}s/${ns}/${name}`

/** The repo that an address names so, if it does. */
export function refOf(word: string | null): RepoRef | undefined {
  const [, type, ns = '', name = ''] = /^(model|dataset)s\/([^/]+)\/([^/]+)$/.exec(word ?? '') ?? []
  return type === 'model' || type === 'dataset' ? { type, ns, name } : undefined
}

/** As `wordOf`, of anything a collection may hold: `collections/acme/<slug>`. */
export const itemWordOf = (item: ItemRef): string =>
  item.type === 'collection' ? `collections/${item.ns}/${item.slug}` : wordOf(item)

/** What `itemWordOf` wrote. */
export function itemOf(word: string | null): ItemRef | undefined {
  const [, ns = '', slug] = /^collections\/([^/]+)\/([^/]+)$/.exec(word ?? '') ?? []
  return slug === undefined ? refOf(word) : { type: 'collection', ns, slug }
}

/** What an item is called: `acme/tiny`, or the title of a collection. */
export const nameOf = ({
  item,
  collection,
}: Pick<Collection['items'][number], 'item' | 'collection'>): string =>
  item.type === 'collection' ? (collection?.title ?? item.slug) : `${item.ns}/${item.name}`

/** Where an item leads. */
export const pageOf = (item: ItemRef): string =>
  item.type === 'collection' ? pages.collection(item) : pages.repo(item)

/** `1 item`, `2 items` */
export const countOf = ({ item_count: n }: Pick<Collection, 'item_count'>): string =>
  `${n} ${n === 1 ? 'item' : 'items'}`

/** The colour that stands for a theme; the component library calls purple grape. */
export const colourOf = (theme: CollectionTheme): string =>
  `var(--mantine-color-${theme === 'purple' ? 'grape' : theme}-5)`
