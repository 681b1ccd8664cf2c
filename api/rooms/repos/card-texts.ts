import { and, eq, isNull, ne, or } from 'drizzle-orm'
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

/**
 * The README whose text is recorded, `null` for none; `undefined` where it is to be read: never read so far, read by other
 * rules, or asked for once more (`forgetIndex`).
 */
export async function findRecordedReadme(
  { q, t: { card_texts: c, repo_heads: h } }: Pick<Db, 'q' | 't'>,
  repoId: string,
): Promise<string | null | undefined> {
  // A new repo has no index either, but a text.
  const isKept = or(ne(h.index_version, 0), isNull(h.indexed_commit))
  const [row] = await q
    .select({ readme: c.readme })
    .from(c)
    .innerJoin(h, eq(h.repo_id, c.repo_id))
    .where(and(eq(c.repo_id, repoId), eq(c.version, CARD_TEXT_VERSION), isKept))
  return row?.readme
}
