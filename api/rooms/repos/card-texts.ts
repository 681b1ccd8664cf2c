import { eq } from 'drizzle-orm'
import { CARD_TEXT_VERSION, type SearchText } from '../../core/metadata/index.ts'
import type { Db, Tx } from '../../stores/db/index.ts'

/** Writes what searches know of a card. The caller holds its repo. */
export async function writeCardText(
  { q, t: { card_texts } }: Tx,
  repoId: string,
  search: SearchText,
): Promise<void> {
  const row = { ...search, version: CARD_TEXT_VERSION }
  await q
    .insert(card_texts)
    .values({ repo_id: repoId, ...row })
    .onConflictDoUpdate({ target: card_texts.repo_id, set: row })
}

/** Has the text of one card, or of all, made once more; until then it is found as it is. */
export async function forgetCardTexts({ q, t: { card_texts } }: Tx, repoId?: string): Promise<void> {
  await q
    .update(card_texts)
    .set({ version: 0 })
    .where(repoId === undefined ? undefined : eq(card_texts.repo_id, repoId))
}

/**
 * The README whose text is recorded, `null` for none; `undefined` where it is to be read: never read so far, or by older
 * rules.
 */
export async function findRecordedReadme(
  { q, t: { card_texts: c } }: Pick<Db, 'q' | 't'>,
  repoId: string,
): Promise<string | null | undefined> {
  const [row] = await q
    .select({ readme: c.readme, version: c.version })
    .from(c)
    .where(eq(c.repo_id, repoId))
  return row?.version === CARD_TEXT_VERSION ? row.readme : undefined
}
