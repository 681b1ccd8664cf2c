import { MAX_CARD_BYTES, parseCard, type Card } from './card.ts'
import { README } from '../head/facts.ts'
import type { Revision } from '../read/revision.ts'

/** The card at a commit, as far as it is read; `undefined` where there is no README. */
export async function readCard({ snapshot, commit }: Revision): Promise<Card | undefined> {
  const readme = await snapshot.entryAt(commit, README)
  const start = readme?.kind === 'file' ? await snapshot.readStart(readme.oid, MAX_CARD_BYTES) : undefined
  return start && parseCard(start.toString('utf8'))
}
