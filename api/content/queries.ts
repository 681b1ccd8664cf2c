import { eq, inArray, sql } from 'drizzle-orm'
import type { Reads, Tables, Tx } from '../db/index.ts'
import type { HeadFacts } from './head-facts.ts'

/** A database or an open transaction: anything that reads. */
export interface Reader {
  q: Reads
  t: Tables
}

/** Values of one statement; SQLite takes 32 766. */
const BATCH = 1000

/** Writes the facts of the default branch's head, in the transaction that moves it. */
export async function setHeadFacts({ q, t }: Tx, repoId: string, facts: HeadFacts): Promise<void> {
  const { repos, repo_tags } = t
  const { bytes, files, since, card } = facts
  await q
    .update(repos)
    .set({
      head_bytes: since === 'nothing' ? bytes : sql`${repos.head_bytes} + ${bytes}`,
      head_files: since === 'nothing' ? files : sql`${repos.head_files} + ${files}`,
      ...(card && {
        card: card.frontMatter,
        task: card.facts.task,
        library: card.facts.library,
        licence: card.facts.licence,
      }),
    })
    .where(eq(repos.id, repoId))
  if (!card) return
  await q.delete(repo_tags).where(eq(repo_tags.repo_id, repoId))
  if (card.facts.tags.length > 0)
    await q.insert(repo_tags).values(card.facts.tags.map((tag) => ({ repo_id: repoId, tag })))
}

/** Names of the accounts that made commits here; those gone are missing. */
export async function findUsernames(
  { q, t: { namespaces } }: Reader,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const wanted = [...new Set(ids)]
  for (let at = 0; at < wanted.length; at += BATCH) {
    const some = wanted.slice(at, at + BATCH)
    const rows = await q
      .select({ id: namespaces.id, name: namespaces.name })
      .from(namespaces)
      .where(inArray(namespaces.id, some))
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}
