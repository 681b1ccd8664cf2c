import type { CollectionTheme } from '../../../shared/vocabulary.ts'
import type { Collection } from '../../lib/types.ts'
import type { RepoRef } from './queries.ts'

/** A Repo as the `item` filter writes it: `models/acme/tiny`. */
export const wordOf = ({ type, ns, name }: RepoRef): string => `${type}s/${ns}/${name}`

/** The Repo that an address names so, if it does. */
export function refOf(word: string | null): RepoRef | undefined {
  const [, type, ns = '', name = ''] = /^(model|dataset)s\/([^/]+)\/([^/]+)$/.exec(word ?? '') ?? []
  return type === 'model' || type === 'dataset' ? { type, ns, name } : undefined
}

/** `1 Repo`, `2 Repos` */
export const countOf = ({ item_count: n }: Collection): string => `${n} ${n === 1 ? 'Repo' : 'Repos'}`

/** The colour that stands for a theme; the component library calls purple grape. */
export const colourOf = (theme: CollectionTheme): string =>
  `var(--mantine-color-${theme === 'purple' ? 'grape' : theme}-5)`
