import { parseCard, type Card } from './card.ts'
import { readText } from '../commit/attributes.ts'
import { README } from '../head/facts.ts'
import type { Revision } from '../read/revision.ts'
import { MAX_README_BYTES } from '../commit/file-content.ts'

/** The card at a commit; `undefined` where there is no README, or one too long to be read. */
export async function readCard({ snapshot, commit }: Revision): Promise<Card | undefined> {
  const readme = await readText(snapshot, commit, README, MAX_README_BYTES)
  return typeof readme === 'object' ? parseCard(readme.text) : undefined
}
