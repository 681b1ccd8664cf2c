import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../stores/db/index.ts'

/** What is known of the head of a default branch. */
export interface HeadRecord {
  /** Sums over all files; large ones with their real size. `since` the parent: to be added to what is recorded. */
  bytes: number
  files: number
  since: 'nothing' | 'parent'
  /** Present when the README changed. */
  card?: {
    frontMatter: Record<string, unknown> | null
    facts: { task: string | null; library: string | null; licence: string | null; tags: string[] }
  }
}

/** Records what the head of `defaultBranch` holds. `false` when another branch is the default one; then nothing changes. */
export async function recordHead(
  { q, t: { repos, repo_tags } }: Tx,
  { repoId, defaultBranch }: { repoId: string; defaultBranch: string },
  { bytes, files, since, card }: HeadRecord,
): Promise<boolean> {
  const recorded = await q
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
    .where(and(eq(repos.id, repoId), eq(repos.default_branch, defaultBranch)))
    .returning({ id: repos.id })
  if (recorded.length === 0) return false
  if (!card) return true
  await q.delete(repo_tags).where(eq(repo_tags.repo_id, repoId))
  if (card.facts.tags.length > 0)
    await q.insert(repo_tags).values(card.facts.tags.map((tag) => ({ repo_id: repoId, tag })))
  return true
}
