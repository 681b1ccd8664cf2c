import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../../core/ctx.ts'
import { jsonRow, jsonTexts, perTables, type JsonRow, type Page } from '../../../stores/db/index.ts'
import type { RepoFilters } from './filters.ts'
import type { RepoLine } from './line.ts'
import { choose, isShown, type RepoPage } from './list.ts'
import { positionOf, type RepoPosition } from './order.ts'

/** A line of a list with the tags of its repo. */
export type TaggedLine = RepoLine & { tags: string[] }

/** For statements with `repos`, `repo_heads` and `namespaces`. */
const lineOf = perTables(({ repos, repo_heads: heads, namespaces, repo_tags }): JsonRow<TaggedLine> => {
  const ofRepo = sql`from ${repo_tags} where ${eq(repo_tags.repo_id, repos.id)}`
  return jsonRow({
    id: repos.id,
    type: repos.type,
    ns: namespaces.name,
    name: repos.name,
    visibility: repos.visibility,
    gated: repos.gated,
    description: repos.description,
    disabledAt: repos.disabled_at,
    downloads30d: repos.downloads_30d,
    downloadsTotal: repos.downloads_total,
    headBytes: heads.bytes,
    likes: repos.likes,
    createdAt: repos.created_at,
    updatedAt: repos.updated_at,
    task: heads.task,
    library: heads.library,
    trending: repos.trending,
    tags: jsonTexts(repo_tags.tag, ofRepo),
  })
})

/** As `listRepos`, in half the time: for lists of hundreds of lines that tell no more than these. */
export async function listLines(
  ctx: Ctx,
  filters: RepoFilters,
  page: RepoPage,
): Promise<Page<TaggedLine, RepoPosition> & { positionOf: (id: string) => RepoPosition | undefined }> {
  const { entries, next } = await choose(ctx, filters, page)
  const { db } = ctx
  const { repos, repo_heads: heads, namespaces } = db.t
  const [found] = await db.q
    .select({ lines: lineOf(db.t).all([sql`${repos.id}`]) })
    .from(repos)
    .innerJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .innerJoin(heads, eq(heads.repo_id, repos.id))
    .where(isShown(ctx, entries))
  const lines = new Map((found?.lines ?? []).map((line) => [line.id, line]))
  const items = entries.flatMap(({ id }) => lines.get(id) ?? [])
  const places = new Map(entries.map((entry) => [entry.id, positionOf(entry, page.sort)]))
  return { items, positionOf: (id) => places.get(id), ...(next ? { next } : {}) }
}
