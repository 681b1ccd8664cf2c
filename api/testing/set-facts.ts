import { eq } from 'drizzle-orm'
import type { FacetField } from '../core/metadata/index.ts'
import { changeMark, type Db, type Tables } from '../stores/db/index.ts'

/** What a test says a repo is, past what would make it so. */
export interface GivenFacts {
  repo?: Partial<Tables['repos']['$inferInsert']>
  head?: Partial<Tables['repo_heads']['$inferInsert']>
  /** Instead of those it has. */
  tags?: string[]
  facets?: Partial<Record<FacetField, string[]>>
}

/** Writes columns of a repo and its head, its tags and its facets, and marks it for lists. */
export async function setFacts(db: Db, id: string, { repo, head, tags, facets }: GivenFacts): Promise<void> {
  await db.write(async ({ q, t }) => {
    const { repos, repo_heads, repo_tags, repo_facets } = t
    await q
      .update(repos)
      .set({ ...repo, changed: changeMark(repos.changed) })
      .where(eq(repos.id, id))
    if (head) await q.update(repo_heads).set(head).where(eq(repo_heads.repo_id, id))
    if (tags) {
      await q.delete(repo_tags).where(eq(repo_tags.repo_id, id))
      if (tags.length > 0) await q.insert(repo_tags).values(tags.map((tag) => ({ repo_id: id, tag })))
    }
    if (!facets) return
    await q.delete(repo_facets).where(eq(repo_facets.repo_id, id))
    const values = Object.entries(facets).flatMap(([field, some]) =>
      some.map((value) => ({ repo_id: id, field: field as FacetField, value })),
    )
    if (values.length > 0) await q.insert(repo_facets).values(values)
  })
}
