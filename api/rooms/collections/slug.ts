import { shortId } from '../../stores/db/index.ts'

const maxWords = 80

/** Letters and digits of ASCII alone, since clients send slugs as they are. */
const kebab = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxWords)
    .replaceAll(/^-|-$/g, '')

/** The part of a collection's address behind its namespace: its title, and the short form of its id. */
export const slugOf = ({ title, id }: { title: string; id: string }): string =>
  [kebab(title), shortId(id)].filter((part) => part !== '').join('-')

/** The short id at the end of a slug, which alone is looked up: the title before it may be a former one. */
export function shortIdOf(slug: string): string | undefined {
  return /(?:^|-)([0-9a-f]{24})$/.exec(slug)?.[1]
}
