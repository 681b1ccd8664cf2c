import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { matching, requireReader } from './list.ts'

// Far more than people choose from; cards may say anything.
const most = 5000

/** The tags in use, and which of them name a library or a task. */
export interface TagsInUse {
  /** The most frequent first. */
  tags: string[]
  libraries: Set<string>
  tasks: Set<string>
}

/** Tags of the Repos the caller may see. Problems: `unauthenticated` where nothing is public, `insufficient-scope`. */
export async function findTagsInUse(ctx: Ctx, type: RepoType): Promise<TagsInUse> {
  requireReader(ctx)
  const { q, t } = ctx.db
  const { repos, namespaces, repo_tags } = t
  const shown = matching(ctx, ctx.db, { type })
  const rows = await q
    .select({ tag: repo_tags.tag })
    .from(repo_tags)
    .innerJoin(repos, eq(repos.id, repo_tags.repo_id))
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(shown)
    .groupBy(repo_tags.tag)
    .orderBy(desc(sql`count(*)`), repo_tags.tag)
    .limit(most)
  const named = async (column: typeof repos.library | typeof repos.task) => {
    const values = await q
      .selectDistinct({ value: column })
      .from(repos)
      .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
      .where(and(shown, isNotNull(column)))
      .limit(most)
    return new Set(values.flatMap(({ value }) => value ?? []))
  }
  const [libraries, tasks] = [await named(repos.library), await named(repos.task)]
  return { tags: rows.map(({ tag }) => tag), libraries, tasks }
}
