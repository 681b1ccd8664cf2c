import { searchTextOf, type SearchText } from '../../../core/metadata/index.ts'
import { MAX_CARD_BYTES, parseCard, type Card } from './card.ts'
import { README } from '../head/facts.ts'
import type { Revision } from '../read/revision.ts'

/** The card at a commit, as far as it is read; `undefined` where there is no README. */
export async function readCard(revision: Revision): Promise<Card | undefined> {
  const readme = await findReadme(revision)
  return readme === null ? undefined : readCardOf(revision, readme)
}

/** What searches know of the card at a commit; `undefined` where it is that of the README `recorded`. */
export async function readSearchText(
  revision: Revision,
  recorded: string | null | undefined,
): Promise<SearchText | undefined> {
  const readme = await findReadme(revision)
  if (readme === recorded) return undefined
  const card = readme === null ? undefined : await readCardOf(revision, readme)
  return searchTextOf(readme, card?.body ?? '')
}

async function findReadme({ snapshot, commit }: Revision): Promise<string | null> {
  const readme = await snapshot.entryAt(commit, README)
  return readme?.kind === 'file' ? readme.oid : null
}

async function readCardOf({ snapshot }: Revision, readme: string): Promise<Card | undefined> {
  const start = await snapshot.readStart(readme, MAX_CARD_BYTES)
  return start && parseCard(start.toString('utf8'))
}
